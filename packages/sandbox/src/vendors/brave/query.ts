import { isDay, type Schema } from '../../shell/schema.ts';
import { type PageFilter, topicOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** One entry of `meta.errors` of a VALIDATION answer. */
export interface ValidationIssue {
  readonly type: string;
  readonly loc: readonly [place: 'query' | 'header', name: string];
  readonly msg: string;
  readonly input: string | null;
}

type Issue = readonly [type: string, msg: string];

type Parameters = Readonly<Record<string, Schema>>;
const PARAMETERS: Parameters = api.search.parameters.properties;

/** Parameters of the mode that returns passages: some of the search, and its own. */
export const CONTEXT_PARAMETERS: Parameters = {
  ...Object.fromEntries(
    Object.entries(PARAMETERS).filter(([name]) => api.context.shared.includes(name)),
  ),
  ...api.context.parameters.properties,
};

/** Checks of single parameters, by the name of their rule. */
const RULES: Readonly<Record<string, (value: string, schema: Schema) => Issue | undefined>> = {
  query(value) {
    if (value.trim() === '') return ['string_too_short', 'The query is empty'];
    // code points, as the API's own language counts characters
    if ([...value].length > api.queryCharactersMax) {
      return ['string_too_long', `The query is over ${api.queryCharactersMax} characters`];
    }
    return value.trim().split(/\s+/).length > api.queryWordsMax
      ? ['value_error', `The query is over ${api.queryWordsMax} words`]
      : undefined;
  },
  freshness(value) {
    if (['pd', 'pw', 'pm', 'py'].includes(value)) return undefined;
    const [, from = '', to = ''] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
    return isDay(from) && isDay(to) && from <= to
      ? undefined
      : ['value_error', 'Input should be pd, pw, pm, py or a range of dates'];
  },
  filter: (value, { enum: names }) =>
    value
      .split(',')
      .map((name) => issueOf({ enum: names }, name))
      .find((issue) => issue !== undefined),
  goggle: (value) => (value === '' ? ['string_too_short', 'A goggle is empty'] : undefined),
};

function issueOf(schema: Schema, value: string): Issue | undefined {
  const { enum: names, type, minimum = 0, maximum = 0 } = schema;
  const rule = RULES[schema.rule ?? ''];
  if (rule) return rule(value, schema);
  if (names) {
    const isOne = names.includes(value);
    return isOne ? undefined : ['enum', `Input should be one of ${names.join(', ')}`];
  }
  if (type === 'boolean') {
    const isBoolean = ['true', 'false', '1', '0'].includes(value);
    return isBoolean ? undefined : ['bool_parsing', 'Input should be a valid boolean'];
  }
  if (!/^-?\d+$/.test(value)) return ['int_parsing', 'Input should be a valid integer'];
  if (Number(value) < minimum) return ['greater_than_equal', `Input should be ${minimum} or more`];
  return Number(value) > maximum
    ? ['less_than_equal', `Input should be ${maximum} or less`]
    : undefined;
}

/** All problems of the query string, in the order of the query. */
export function issuesOf(
  query: URLSearchParams,
  parameters: Parameters = PARAMETERS,
): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const seen = new Set<string>();
  const report = (name: string, input: string | null, issue: Issue | undefined) => {
    if (issue) issues.push({ type: issue[0], msg: issue[1], loc: ['query', name], input });
  };
  if (!query.has('q')) report('q', null, ['missing', 'Field required']);
  for (const [name, value] of query) {
    const schema = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (!schema) report(name, value, ['extra_forbidden', 'Unknown parameter']);
    else if (seen.has(name) && name !== 'goggles') {
      report(name, value, ['value_error', 'The parameter is repeated']);
    } else report(name, value, issueOf(schema, value));
    seen.add(name);
  }
  return issues;
}

/** A valid request, with the API's own defaults. */
export type BraveQuery = Readonly<ReturnType<typeof readQuery>>;

export function readQuery(parameters: URLSearchParams) {
  const q = parameters.get('q') ?? '';
  const flag = (name: string, otherwise: boolean) => {
    const value = parameters.get(name);
    return value === null ? otherwise : value === 'true' || value === '1';
  };
  const filter = parameters.get('result_filter');
  return {
    q,
    count: Number(parameters.get('count') ?? 20),
    offset: Number(parameters.get('offset') ?? 0),
    country: (parameters.get('country') ?? 'US').toLowerCase(),
    language: parameters.get('search_lang') ?? 'en',
    freshness: parameters.get('freshness') ?? undefined,
    /** The words to mark in descriptions; undefined with `text_decorations=false`. */
    marks: flag('text_decorations', true) ? marksFor(q) : undefined,
    spellcheck: flag('spellcheck', true),
    extraSnippets: flag('extra_snippets', false),
    fetchMetadata: flag('include_fetch_metadata', false),
    richCallback: flag('enable_rich_callback', false),
    summary: flag('summary', false),
    goggles: parameters.has('goggles') || parameters.has('goggles_id'),
    goggleSites: goggleSites(parameters.getAll('goggles')),
    /** Undefined: every section of the plan. */
    filter: filter === null ? undefined : new Set(filter.split(',')),
  };
}

/**
 * The hosts of inline goggles: an allow list is `$discard` and lines of `$site=`, a block list has
 * lines of `$discard,site=`. Other rules change nothing here.
 */
function goggleSites(goggles: readonly string[]): PageFilter {
  const lines = goggles.flatMap((goggle) => goggle.split('\n'));
  const hostsOf = (rule: string) =>
    lines.filter((line) => line.startsWith(rule)).map((line) => line.slice(rule.length));
  const include = lines.includes('$discard') ? hostsOf('$site=') : [];
  return { include, exclude: hostsOf('$discard,site=') };
}

function marksFor(q: string): RegExp | undefined {
  const words = topicOf(q)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  return words.length === 0 ? undefined : new RegExp(`\\b(${words.join('|')})\\b`, 'giu');
}
