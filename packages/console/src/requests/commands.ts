import { endpointOf, isJsonObject, type JsonObject, type PlannedRequest } from './planned.ts';
import { pythonProgram, typescriptProgram } from './programs.ts';
import { shellWord, visibleJson } from './shell-words.ts';

/** A text to copy. */
export interface Command {
  readonly text: string;
  /**
   * Members of the request that this way of calling cannot express, such as
   * `search.provider_overrides`.
   */
  readonly leftOut: readonly string[];
}

export interface Commands {
  readonly curl: Command;
  readonly typescript: Command;
  readonly python: Command;
  readonly cli: Command;
  readonly mcp: Command;
}

/**
 * A request in the five ways to send it. The key is always the variable `$SERVICE_API_KEY`.
 * @param baseUrl address of the server, such as `https://trawl.example.com`
 */
export const commandsOf = (request: PlannedRequest, baseUrl: string): Commands => ({
  curl: curlOf(request, baseUrl),
  typescript: { text: typescriptProgram(request, baseUrl), leftOut: [] },
  python: { text: pythonProgram(request, baseUrl), leftOut: [] },
  cli: cliOf(request, baseUrl),
  mcp: mcpOf(request),
});

const curlOf = (request: PlannedRequest, baseUrl: string): Command => ({
  text: [
    `curl -sS ${shellWord(`${baseUrl}${endpointOf(request).replace('POST ', '')}`)}`,
    '-H "Authorization: Bearer $SERVICE_API_KEY"',
    "-H 'Content-Type: application/json'",
    `--data-raw ${inQuotes(visibleJson(request.body))}`,
  ].join(' \\\n  '),
  leftOut: [],
});

/** JSON over several lines; its unseen characters are escaped by JSON itself. */
const inQuotes = (json: string): string => `'${json.replaceAll("'", "'\\''")}'`;

/** How a member of a request is written as arguments; null for a value that has no such form. */
type Argument = (value: unknown) => readonly string[] | null;

const oneOf =
  (flag: string): Argument =>
  (value) =>
    typeof value === 'string' || typeof value === 'number' ? [flag, String(value)] : null;

const listOf =
  (flag: string): Argument =>
  (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string' && !name.includes(','))
      ? [flag, value.join(',')]
      : null;

const switchOf =
  (on: string, off: string | null): Argument =>
  (value) => {
    if (value === true) return [on];
    return value === false && off !== null ? [off] : null;
  };

const SEARCH_FLAGS: Readonly<Record<string, Argument>> = {
  'search.tier': oneOf('--tier'),
  'search.num_results': oneOf('--num-results'),
  'search.fields': listOf('--fields'),
  'search.providers.include': listOf('--include'),
  'search.providers.exclude': listOf('--exclude'),
  'search.include_full_content': switchOf('--full-content', '--no-full-content'),
  'search.economy': switchOf('--economy', null),
  'search.auto_routing': (value) => (value === 'accuracy' ? ['--auto-routing'] : null),
  'search.fallback': (value) => listOf('--fallback')(Array.isArray(value) ? value : [value]),
  'search.filters.include_domains': listOf('--site'),
  'search.filters.exclude_domains': listOf('--not-site'),
  'search.filters.published_after': oneOf('--since'),
  'search.filters.published_before': oneOf('--until'),
  'search.filters.country': oneOf('--country'),
  'search.filters.language': oneOf('--lang'),
  'search.filters.safe_search': oneOf('--safe'),
  'search.filters.mode': (value) => (value === 'strict' ? ['--strict-filters'] : []),
  session_id: oneOf('--session'),
  preprocessor_names: listOf('--include'),
};

const FETCH_FLAGS: Readonly<Record<string, Argument>> = {
  'options.tier': oneOf('--tier'),
  'options.providers': listOf('--providers'),
  'options.content_format': oneOf('--format'),
  'options.inline_max_chars': oneOf('--max-chars'),
  session_id: oneOf('--session'),
};

function cliOf(request: PlannedRequest, baseUrl: string): Command {
  const isSearch = request.mode === 'search';
  const flags = isSearch ? SEARCH_FLAGS : FETCH_FLAGS;
  const members = membersOf(request.body);
  const written = members.map(([name, value]) => ({
    name,
    words: own(flags, name)?.(value) ?? null,
  }));
  const inputs = inputsOf(request);
  // for the command, "-" is standard input
  const sayable = inputs.texts.filter((text) => text !== '-');
  const words = [
    'trawl',
    request.mode,
    ...written.flatMap(({ words }) => words ?? []),
    ...(sayable.some((text) => text.startsWith('-')) ? ['--'] : []),
    ...sayable,
  ];
  return {
    text: [`SERVICE_BASE_URL=${shellWord(baseUrl)}`, ...words.map(shellWord)].join(' '),
    leftOut: [
      ...(sayable.length < inputs.texts.length ? ['the query -'] : []),
      ...inputs.leftOut,
      ...written.flatMap(({ name, words }) => (words ? [] : [name])),
    ],
  };
}

/** Members of a request that are arguments of the tools, and their names there. */
const SEARCH_ARGUMENTS: Readonly<Record<string, string>> = {
  'search.tier': 'tier',
  'search.num_results': 'num_results',
  'search.providers.include': 'include',
  'search.providers.exclude': 'exclude',
  'search.include_full_content': 'include_full_content',
  'search.auto_routing': 'auto_routing',
  'search.fallback': 'fallback',
  'search.filters.include_domains': 'include_domains',
  'search.filters.exclude_domains': 'exclude_domains',
  'search.filters.published_after': 'published_after',
  'search.filters.published_before': 'published_before',
  'search.filters.country': 'country',
  'search.filters.language': 'language',
  'search.filters.safe_search': 'safe_search',
  'search.filters.mode': 'strict_filters',
  session_id: 'session_id',
  preprocessor_names: 'include',
};

const FETCH_ARGUMENTS: Readonly<Record<string, string>> = {
  'options.tier': 'tier',
  'options.providers': 'providers',
  'options.content_format': 'content_format',
  'options.inline_max_chars': 'inline_max_chars',
  session_id: 'session_id',
};

/** The tool and its arguments, as a host sends them in `tools/call`. */
function mcpOf(request: PlannedRequest): Command {
  const isSearch = request.mode === 'search';
  const names = isSearch ? SEARCH_ARGUMENTS : FETCH_ARGUMENTS;
  const members = membersOf(request.body);
  const { texts, leftOut } = inputsOf(request);
  const [only] = texts;
  const searched = texts.length === 1 ? { query: only } : { queries: texts };
  const call = {
    name: isSearch ? 'web_search' : 'web_fetch',
    arguments: {
      ...(isSearch ? searched : { urls: texts }),
      ...Object.fromEntries(
        members.flatMap(([name, value]) => {
          const argument = own(names, name);
          if (argument === undefined) return [];
          // a switch there
          const isSwitch = argument === 'strict_filters';
          return [[argument, isSwitch ? value === 'strict' : value] as const];
        }),
      ),
    },
  };
  return {
    text: visibleJson(call),
    leftOut: [
      ...leftOut,
      ...members.flatMap(([name]) => (own(names, name) === undefined ? [name] : [])),
    ],
  };
}

/** Names come from outside: `constructor` is not one of ours. */
const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Objects whose members are options of their own. */
const GROUPS = ['search', 'search.providers', 'search.filters', 'options'];

/** The options of a body by their path. Inputs and what counts as absent are left out. */
function membersOf(body: JsonObject, path = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(body).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (name === 'user_input' || name === 'urls' || (value ?? null) === null) return [];
    if (GROUPS.includes(name) && isJsonObject(value)) return membersOf(value, name);
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
    return isEmpty ? [] : [[name, value] as const];
  });
}

interface Inputs {
  readonly texts: readonly string[];
  readonly leftOut: readonly string[];
}

/** The queries or URLs. Other members of a query object are kept by the API only. */
function inputsOf({ mode, body }: PlannedRequest): Inputs {
  if (mode === 'fetch') {
    const urls: readonly unknown[] = Array.isArray(body.urls) ? body.urls : [];
    return { texts: urls.filter((url) => typeof url === 'string'), leftOut: [] };
  }
  const given = body.user_input ?? [];
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  const objects = items.filter(isJsonObject);
  const texts = objects.map(({ query }) => query).filter((query) => typeof query === 'string');
  const others = new Set(objects.flatMap((object) => Object.keys(object)));
  others.delete('query');
  return { texts, leftOut: [...others].map((name) => `user_input.${name}`) };
}
