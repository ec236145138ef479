import {
  FILTERS,
  type FilterName,
  type JsonObject,
  LIMITS,
  RESULT_FIELDS,
  type ResultField,
} from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading, HttpCall, SecretPart } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRule, memberAt, native, unsupported } from '../declaration/filters.ts';
import {
  type Capabilities,
  type CountControl,
  defineSearch,
  never,
  type SearchProvider,
  type Supply,
  supplied,
} from '../declaration/search.ts';
import { plainKey } from '../request/overrides.ts';
import { readerAt, WHOLE } from '../values/paths.ts';
import {
  COUNT_PLACEHOLDER,
  filled,
  hasSecret,
  textsIn,
  variablesIn,
  withVariables,
} from './placeholders.ts';
import { declaredRows } from './rows.ts';
import { type DeclaredEntry, MAPPED_FIELDS } from './schema.ts';

const TIMEOUT_MS = 15_000;
const CONCURRENCY = 8;

/**
 * A declared entry as a provider like the built-in ones.
 * @param variable the value of an environment variable, which is set
 */
export function declaredProvider(
  entry: DeclaredEntry,
  variable: (name: string) => string,
): SearchProvider {
  const { slug, name = slug, price_usd, data_use = {} } = entry;
  const { origin } = new URL(entry.url);
  const secretParts = secretPartsOf(entry, variable);
  const provider = defineProvider({
    slug,
    name,
    baseUrl: origin,
    authentication: { in: 'none' },
    credentialVariables: [],
    isDeclared: true,
    secretParts,
    prices: { asOf: null, usd: price_usd === undefined ? {} : { search: price_usd } },
    dataUse: {
      training: data_use.training ?? 'unknown',
      retention: data_use.retention ?? 'unknown',
      region: data_use.region ?? 'unknown',
      source: null,
      checked: null,
      note: 'Stated by the operator of this server, who declared this provider.',
    },
    search: searchOf(entry, secretParts),
  });
  if (provider.search === null) throw new Error('a declared provider has no search');
  return provider.search;
}

function searchOf(entry: DeclaredEntry, secretParts: readonly SecretPart[]) {
  const { slug, name = slug, results } = entry;
  const listIn = readerAt(results);
  const rowsIn = declaredRows(entry);
  // null is how some services write an empty list
  const isAnswer = (body: unknown) => Array.isArray(listIn(body)) || listIn(body) === null;
  return defineSearch<unknown>({
    description: `${name}, declared by the operator of this server.`,
    docsUrl: null,
    count: countOf(entry),
    capabilities: capabilitiesOf(entry),
    filters: filtersOf(entry),
    refusedOverrides: secretParts.map((part) => plainKey(part.name)),
    timeoutMs: TIMEOUT_MS,
    concurrency: CONCURRENCY,
    request: callOf(entry),
    response: z.unknown().refine(isAnswer),
    parse: (body, { wanted }) => rowsIn(listIn(body), wanted),
    readFailure: (answer) => readFailure(answer, { results, isAnswer, secretParts }),
  });
}

/** The call without its secret parts. */
function callOf(entry: DeclaredEntry) {
  const { pathname, search } = new URL(entry.url);
  const path = `${pathname}${search}` as `/${string}`;
  const isOpen = ([, text]: readonly [string, unknown]) =>
    typeof text !== 'string' || !hasSecret(text);
  const openOf = <Value>(members: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(Object.entries(members).filter(isOpen));
  const headers = openOf(entry.headers);
  const query = openOf(entry.query);
  const shared = { path, ...(Object.keys(headers).length > 0 ? { headers } : {}) };
  return ({ query: asked, count }: { query: string; count: number }): HttpCall => {
    const put = <Value>(value: Value) => filled(value, { query: asked, count }) as Value;
    return entry.body === undefined
      ? { method: 'GET', ...shared, query: put(query) }
      : { method: 'POST', ...shared, body: put(entry.body) };
  };
}

function secretPartsOf(
  { headers = {}, query = {} }: DeclaredEntry,
  variable: (name: string) => string,
): readonly SecretPart[] {
  const parts = (place: SecretPart['in'], members: object) =>
    textsIn(members)
      .filter(({ text }) => hasSecret(text))
      .map(({ path: [name = ''], text: written }): SecretPart => {
        const variables = variablesIn(written) ?? [];
        const value = withVariables(written, variable);
        return { in: place, name, written, value, variables, secrets: variables.map(variable) };
      });
  return [...parts('header', headers), ...parts('query', query)];
}

function countOf({ query, body, count }: DeclaredEntry): CountControl {
  const max = count?.max ?? LIMITS.resultsMax;
  const counted = textsIn(query ?? body).find(({ text }) => text.includes(COUNT_PLACEHOLDER));
  return counted === undefined
    ? { control: 'trim', max }
    : { control: 'native', parameter: counted.path.join('.'), max };
}

/** Made by the router for every row. */
const MADE: readonly ResultField[] = ['rank', 'source', 'enrichments'];

function capabilitiesOf({ fields }: DeclaredEntry): Capabilities {
  const mapped: readonly string[] = MAPPED_FIELDS.filter((field) => fields[field] !== undefined);
  const supplyOf = (field: ResultField): Supply => {
    if (mapped.includes(field) || MADE.includes(field)) return supplied;
    return never(
      MAPPED_FIELDS.some((name) => name === field)
        ? 'is declared without a path for it'
        : 'is declared with the texts and links of rows only',
    );
  };
  return Object.fromEntries(
    RESULT_FIELDS.map((field) => [field, supplyOf(field)]),
  ) as unknown as Capabilities;
}

function filtersOf(entry: DeclaredEntry) {
  return Object.fromEntries(FILTERS.map((name) => [name, filterRule(name, entry)])) as Record<
    FilterName,
    FilterRule
  >;
}

/** What is merged into a call for a filter: a name in a query, a path in a body. */
export const filterMember = (
  { body }: Pick<DeclaredEntry, 'body'>,
  parameter: string,
  value: unknown,
): JsonObject => (body === undefined ? { [parameter]: value } : memberAt(parameter, value));

/** What rows show is checked here in any case: a host, and a day where it is mapped. */
function filterRule(name: FilterName, { filters = {}, fields, body }: DeclaredEntry): FilterRule {
  const parameter = filters[name];
  const isDate = name.startsWith('published');
  const isChecked = isDate ? fields.publish_date !== undefined : name.endsWith('_domains');
  if (parameter !== undefined) {
    return native(`is sent it in ${parameter}`, ({ [name]: value }) =>
      filterMember({ body }, parameter, value),
    );
  }
  if (!isChecked) return unsupported('is declared without a parameter for it');
  return checked('is declared without a parameter for it, so its rows are checked here');
}

interface Reading {
  readonly results: string;
  readonly isAnswer: (body: unknown) => boolean;
  readonly secretParts: readonly SecretPart[];
}

function readFailure(
  { status, body }: FailedAnswer,
  { results, isAnswer, secretParts }: Reading,
): FailureReading | undefined {
  const isGood = status >= 200 && status < 300;
  if (isGood && typeof body === 'object' && !isAnswer(body)) {
    const place = results === WHOLE ? 'that is a list itself' : `with a list at ${results}`;
    return {
      code: 'bad_response',
      happened: `sent no answer ${place}`,
      remedy: 'compare results of its entry in PROVIDERS_FILE with an answer of it',
    };
  }
  const variables = new Set(secretParts.flatMap(({ variables: names }) => names));
  if (variables.size === 0) return undefined;
  const remedy = `check ${[...variables].join(', ')} in the environment of the server`;
  if (status === 401) return { code: 'invalid_credential', remedy };
  if (status === 402) {
    return { code: 'quota_exhausted', happened: 'has no quota or credit left', remedy };
  }
  return undefined;
}
