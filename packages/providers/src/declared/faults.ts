import { type JsonObject, parsedUrl } from '@trawl/contract';
import { deepMerge, plainKey, wordsOf } from '../request/overrides.ts';
import { filterMember } from './declared-provider.ts';
import {
  hasSecret,
  isAsked,
  type PlacedText,
  QUERY_PLACEHOLDER,
  textsIn,
  variablesIn,
} from './placeholders.ts';
import type { DeclaredEntry } from './schema.ts';

/** What the server says about a declaration. */
export interface DeclaringRules {
  /** The value of an environment variable; undefined = not set. */
  readonly variable: (name: string) => string | undefined;
  /** Why an entry may not send a variable, as the end of a sentence; undefined = it may. */
  readonly variableFault: (name: string) => string | undefined;
  /** Why calls may not go to an address, as the end of a sentence; undefined = they may. */
  readonly addressFault: (url: URL) => string | undefined;
}

export interface EntryFault {
  readonly path: readonly string[];
  /** The end of a sentence about the place. It never repeats a value. */
  readonly problem: string;
}

const PUT_INTO = `put the secret into an environment variable and write \${NAME}`;

/** What is wrong with an entry whose members have the right types. */
export const entryFaults = (entry: DeclaredEntry, rules: DeclaringRules): readonly EntryFault[] => [
  ...urlFaults(entry, rules),
  ...callFaults(entry),
  ...headerFaults(entry, rules),
  ...queryFaults(entry, rules),
  ...bodyFaults(entry),
  ...filterFaults(entry),
];

function urlFaults({ url: written }: DeclaredEntry, rules: DeclaringRules): readonly EntryFault[] {
  const fault = (problem: string): readonly EntryFault[] => [{ path: ['url'], problem }];
  if (/[{}]/.test(written)) {
    return fault('takes no placeholders: they belong into query, body and headers');
  }
  const url = parsedUrl(written);
  if (url === null || !/^https?:$/.test(url.protocol)) return fault('must be an https:// URL');
  if (url.username !== '' || url.password !== '') {
    return fault(`has a user or a password in it: send it in a header, ${PUT_INTO}`);
  }
  if (url.hash !== '') return fault('has a fragment, which is never sent; leave it out');
  const secret = [...url.searchParams.keys()].find(namesSecret);
  if (secret !== undefined) {
    return fault(`has a secret in its query (${shown(secret)}): move it into query, ${PUT_INTO}`);
  }
  const problem = rules.addressFault(url);
  return problem === undefined ? [] : fault(problem);
}

function callFaults({ method, query, body }: DeclaredEntry): readonly EntryFault[] {
  if ((query === undefined) === (body === undefined)) {
    return [{ path: [], problem: 'needs either query (of a GET) or body (of a POST)' }];
  }
  const name = query === undefined ? 'body' : 'query';
  const fits = query === undefined ? 'POST' : 'GET';
  if (method !== undefined && method !== fits) {
    return [{ path: ['method'], problem: `must be ${fits}, since the entry has ${name}` }];
  }
  const texts = textsIn(query ?? body);
  return [
    ...(texts.some(({ text }) => text.includes(QUERY_PLACEHOLDER))
      ? []
      : [{ path: [name], problem: `needs ${QUERY_PLACEHOLDER} in one of its values` }]),
    ...texts.flatMap(({ path, text }) =>
      /^\{\w+\}$/.test(text) && !/^\{(?:query|num_results)\}$/.test(text)
        ? {
            path: [name, ...path],
            problem: 'is not a placeholder; those are {query} and {num_results}',
          }
        : [],
    ),
  ];
}

/** Of the variables in a text. */
function variableFaults(
  { path, text }: PlacedText,
  { variable, variableFault }: DeclaringRules,
): readonly EntryFault[] {
  const names = variablesIn(text);
  if (names === null) {
    return [
      { path, problem: `has a \${ that does not begin the name of a variable, as \${NAME} does` },
    ];
  }
  return names.flatMap((name) => {
    const fault = variableFault(name);
    if (fault !== undefined) return { path, problem: `has the variable ${name}, which ${fault}` };
    const value = variable(name);
    if (value === undefined)
      return { path, problem: `needs the variable ${name}, which is not set` };
    if (!hasSecret(value)) return [];
    const problem = `has the variable ${name}, whose value has a placeholder itself; values are sent as they are, so write the final one`;
    return { path, problem };
  });
}

/** Set by the server for each call, or no part of it. */
const OWN_HEADERS = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'te'],
  ...['accept-encoding', 'upgrade', 'expect', 'trailer', 'keep-alive', 'proxy-connection'],
]);
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const UNFIT_FOR_HEADER = /[^\t\x20-\x7e\x80-\xff]/;

function headerFaults(
  { headers = {} }: DeclaredEntry,
  rules: DeclaringRules,
): readonly EntryFault[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, text]): readonly EntryFault[] => {
    const path = ['headers', name];
    const fault = (problem: string): readonly EntryFault[] => [{ path, problem }];
    const lowerCased = name.toLowerCase();
    if (!HEADER_NAME.test(name)) return fault('is not the name of a header');
    if (OWN_HEADERS.has(lowerCased)) return fault('is set by the server; leave it out');
    if (seen.has(lowerCased)) return fault('is there twice; leave one out');
    seen.add(lowerCased);
    if (isAsked(text)) return fault('cannot have a part of the request; query and body can');
    if (!hasSecret(text) && namesSecret(name)) return fault(`has a secret in it: ${PUT_INTO}`);
    const variables = variableFaults({ path, text }, rules);
    if (variables.length > 0) return variables;
    const values = (variablesIn(text) ?? []).map((variable) => rules.variable(variable) ?? '');
    return [text, ...values].some((part) => UNFIT_FOR_HEADER.test(part))
      ? fault('has a character that a header cannot have, itself or in a variable')
      : [];
  });
}

function queryFaults({ query = {} }: DeclaredEntry, rules: DeclaringRules): readonly EntryFault[] {
  return textsIn(query, ['query']).flatMap((placed): readonly EntryFault[] => {
    const { path, text } = placed;
    if (!hasSecret(text)) {
      const isSecret = namesSecret(path[1] ?? '') && !text.includes(QUERY_PLACEHOLDER);
      return isSecret ? [{ path, problem: `has a secret in it: ${PUT_INTO}` }] : [];
    }
    if (isAsked(text)) {
      const problem =
        'has a secret and a part of the request; a secret needs a parameter of its own';
      return [{ path, problem }];
    }
    return variableFaults(placed, rules);
  });
}

function bodyFaults({ body = {} }: DeclaredEntry): readonly EntryFault[] {
  const where = `a body is recorded, so a secret belongs into headers, as \${NAME}`;
  return textsIn(body, ['body']).flatMap(({ path, text }) => {
    if (hasSecret(text)) return { path, problem: `cannot have a variable: ${where}` };
    const isSecret = namesSecret(path.at(-1) ?? '') && !text.includes(QUERY_PLACEHOLDER);
    return isSecret ? { path, problem: `has a secret in it: ${where}` } : [];
  });
}

/**
 * A filter must not replace the query, a count, a secret or another filter. All are merged here as
 * in a request.
 */
function filterFaults({ filters = {}, query, body }: DeclaredEntry): readonly EntryFault[] {
  const place = query === undefined ? 'body' : 'query';
  let merged: JsonObject = query ?? body ?? {};
  const kept = textsIn(merged)
    .filter(({ text }) => hasSecret(text) || isAsked(text))
    .map((placed) => ({ ...placed, name: [place, ...placed.path.map(shown)].join('.') }));
  return Object.entries(filters).flatMap(([filter, parameter]): readonly EntryFault[] => {
    if (parameter === undefined) return [];
    const name = `filters.${filter}`;
    const member = filterMember({ body }, parameter, name);
    const withFilter = deepMerge(merged, member);
    const left = new Set(textsIn(withFilter).map(textAndPlace));
    const lost = kept.find((placed) => !left.has(textAndPlace(placed)));
    if (lost !== undefined) {
      const problem = `would replace ${lost.name}; a filter needs a parameter of its own`;
      return [{ path: ['filters', filter], problem }];
    }
    merged = withFilter;
    kept.push(...textsIn(member).map((placed) => ({ ...placed, name })));
    return [];
  });
}

const textAndPlace = ({ path, text }: PlacedText): string => JSON.stringify([path, text]);

/** A key of the file, made safe for one of our lines. */
export const shown = (key: string): string =>
  /^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));

const SECRET_ENDS = new Set([
  ...['token', 'secret', 'password', 'passwd', 'pwd', 'auth', 'authorization', 'cookie'],
  ...['credential', 'credentials', 'signature'],
]);
/** What is before the word key where it is a secret; a `sort_key` is not. */
const KEY_KINDS = new Set([
  ...['api', 'access', 'auth', 'app', 'client', 'license', 'private', 'secret', 'subscription'],
  undefined,
]);

/** Whether a parameter or header of this name has a secret as its value. */
function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const [kind, last = ''] = [words.at(-2), words.at(-1)];
  if (SECRET_ENDS.has(last) || plainKey(name).endsWith('apikey')) return true;
  return last === 'key' && KEY_KINDS.has(kind);
}
