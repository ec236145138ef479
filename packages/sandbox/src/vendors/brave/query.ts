import { topicOf } from '../../content.ts';

/** Query parameters: https://api-dashboard.search.brave.com/app/documentation/web-search/query */

/** One entry of `meta.errors` of a VALIDATION answer. */
export interface ValidationIssue {
  readonly type: string;
  readonly loc: readonly [place: 'query' | 'header', name: string];
  readonly msg: string;
  readonly input: string | null;
}

type Issue = Pick<ValidationIssue, 'type' | 'msg'>;
type ParameterCheck = (value: string) => Issue | undefined;

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const COUNTRIES = list(
  'ALL AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US',
);
const LANGUAGES = list(
  'ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de gu he hi hu is it jp kn ko lv lt ms ml mr nb pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi',
);
const LOCALES = list(
  'es-AR en-AU de-AT nl-BE fr-BE pt-BR en-CA fr-CA es-CL da-DK fi-FI fr-FR de-DE zh-HK en-IN en-ID it-IT ja-JP ko-KR en-MY es-MX nl-NL en-NZ no-NO zh-CN pl-PL en-PH ru-RU en-ZA es-ES sv-SE fr-CH de-CH zh-TW tr-TR en-GB en-US es-US',
);
const BOOLEANS = list('true false 1 0');
const FILTERS = list('discussions faq infobox news query summarizer videos web locations rich');
const QUERY_CHARACTERS_MAX = 400;
const QUERY_WORDS_MAX = 50;

function oneOf(values: ReadonlySet<string>): ParameterCheck {
  return (value) =>
    values.has(value)
      ? undefined
      : { type: 'enum', msg: `Input should be one of ${[...values].join(', ')}` };
}

function integer(least: number, most: number): ParameterCheck {
  return (value) => {
    if (!/^-?\d+$/.test(value)) {
      return { type: 'int_parsing', msg: 'Input should be a valid integer' };
    }
    if (Number(value) < least) {
      return { type: 'greater_than_equal', msg: `Input should be ${least} or more` };
    }
    return Number(value) > most
      ? { type: 'less_than_equal', msg: `Input should be ${most} or less` }
      : undefined;
  };
}

const boolean: ParameterCheck = (value) =>
  BOOLEANS.has(value)
    ? undefined
    : { type: 'bool_parsing', msg: 'Input should be a valid boolean' };

const query: ParameterCheck = (value) => {
  if (value.trim() === '') return { type: 'string_too_short', msg: 'The query is empty' };
  // code points, as the API's own language counts characters
  if ([...value].length > QUERY_CHARACTERS_MAX) {
    return { type: 'string_too_long', msg: `The query is over ${QUERY_CHARACTERS_MAX} characters` };
  }
  return value.trim().split(/\s+/).length > QUERY_WORDS_MAX
    ? { type: 'value_error', msg: `The query is over ${QUERY_WORDS_MAX} words` }
    : undefined;
};

const freshness: ParameterCheck = (value) => {
  if (['pd', 'pw', 'pm', 'py'].includes(value)) return undefined;
  const [, from, to] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
  return isDay(from) && isDay(to) && from <= to
    ? undefined
    : { type: 'value_error', msg: 'Input should be pd, pw, pm, py or a range of dates' };
};

function isDay(day: string | undefined): day is string {
  return day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
}

const resultFilter: ParameterCheck = (value) =>
  value
    .split(',')
    .map(oneOf(FILTERS))
    .find((issue) => issue !== undefined);

const goggle: ParameterCheck = (value) =>
  value === '' ? { type: 'string_too_short', msg: 'A goggle is empty' } : undefined;

const CHECKS: Readonly<Record<string, ParameterCheck>> = {
  q: query,
  count: integer(1, 20),
  offset: integer(0, 9),
  country: oneOf(COUNTRIES),
  search_lang: oneOf(LANGUAGES),
  ui_lang: oneOf(LOCALES),
  safesearch: oneOf(list('off moderate strict')),
  freshness,
  text_decorations: boolean,
  spellcheck: boolean,
  result_filter: resultFilter,
  goggles: goggle,
  goggles_id: goggle,
  units: oneOf(list('metric imperial')),
  extra_snippets: boolean,
  operators: boolean,
  enable_rich_callback: boolean,
  include_fetch_metadata: boolean,
  summary: boolean,
};
const REPEATABLE = list('goggles');

/** Everything that is wrong with the query string, in the order it was sent. */
export function issuesOf(parameters: URLSearchParams): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const seen = new Set<string>();
  const report = (name: string, input: string | null, issue: Issue | undefined) => {
    if (issue) issues.push({ ...issue, loc: ['query', name], input });
  };
  if (!parameters.has('q')) report('q', null, { type: 'missing', msg: 'Field required' });
  for (const [name, value] of parameters) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (!check) report(name, value, { type: 'extra_forbidden', msg: 'Unknown parameter' });
    else if (seen.has(name) && !REPEATABLE.has(name)) {
      report(name, value, { type: 'value_error', msg: 'The parameter is repeated' });
    } else report(name, value, check(value));
    seen.add(name);
  }
  return issues;
}

/** A valid request, with the API's own defaults. */
export interface BraveQuery {
  readonly q: string;
  readonly count: number;
  readonly offset: number;
  readonly country: string;
  readonly language: string;
  /** The words to mark in descriptions; undefined with `text_decorations=false`. */
  readonly marks: RegExp | undefined;
  readonly spellcheck: boolean;
  readonly extraSnippets: boolean;
  readonly fetchMetadata: boolean;
  readonly richCallback: boolean;
  readonly summary: boolean;
  readonly goggles: boolean;
  /** Undefined: every section of the plan. */
  readonly filter: ReadonlySet<string> | undefined;
}

export function readQuery(parameters: URLSearchParams): BraveQuery {
  const flag = (name: string, otherwise: boolean) => {
    const value = parameters.get(name);
    return value === null ? otherwise : value === 'true' || value === '1';
  };
  const filter = parameters.get('result_filter');
  return {
    q: parameters.get('q') ?? '',
    count: Number(parameters.get('count') ?? 20),
    offset: Number(parameters.get('offset') ?? 0),
    country: (parameters.get('country') ?? 'US').toLowerCase(),
    language: parameters.get('search_lang') ?? 'en',
    marks: flag('text_decorations', true) ? marksFor(parameters.get('q') ?? '') : undefined,
    spellcheck: flag('spellcheck', true),
    extraSnippets: flag('extra_snippets', false),
    fetchMetadata: flag('include_fetch_metadata', false),
    richCallback: flag('enable_rich_callback', false),
    summary: flag('summary', false),
    goggles: parameters.has('goggles') || parameters.has('goggles_id'),
    filter: filter === null ? undefined : new Set(filter.split(',')),
  };
}

function marksFor(q: string): RegExp | undefined {
  const words = topicOf(q)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  return words.length === 0 ? undefined : new RegExp(`\\b(${words.join('|')})\\b`, 'giu');
}
