import { useQuery } from '@tanstack/react-query';
import type { FetchProviderRoster, PreprocessorRoster } from '@trawl/contract';
import { isJsonObject } from '@trawl/contract/json-object';
import { callApi } from '../../api/call.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { type Mode, namesOf, optionsOf } from './draft.ts';

/** A provider as the form offers it. */
export interface ProviderChoice {
  readonly slug: string;
  readonly name: string;
  /** Why it cannot be asked here, in two words; absent = it can. */
  readonly lack?: string | undefined;
  /** Whether the request as it is asks it. */
  readonly isChosen: boolean;
  /** From 1, where the order matters. */
  readonly place?: number | undefined;
}

type Searcher = PreprocessorRoster['preprocessors'][number];
type Fetcher = FetchProviderRoster['fetch_providers'][number];

/** What this deployment has for a mode, with what failed to be read. */
export function useChoices(project: string, request: PlannedRequest) {
  const isSearch = request.mode === 'search';
  const searchers = useQuery({
    queryKey: ['roster', project, 'search'],
    queryFn: ({ signal }) => callApi(project, 'GET /v1/preprocessors', { signal }),
    enabled: isSearch,
  });
  const fetchers = useQuery({
    queryKey: ['roster', project, 'fetch'],
    queryFn: ({ signal }) => callApi(project, 'GET /v1/fetch-providers', { signal }),
    enabled: !isSearch,
  });
  const { error, refetch } = isSearch ? searchers : fetchers;
  const choices = isSearch
    ? searchChoices(request, searchers.data?.preprocessors ?? [])
    : fetchChoices(request, fetchers.data?.fetch_providers ?? []);
  return { choices, error, retry: () => void refetch() };
}

function searchChoices(
  request: PlannedRequest,
  roster: readonly Searcher[],
): readonly ProviderChoice[] {
  const { providers } = optionsOf(request);
  const named = isJsonObject(providers) ? providers : {};
  const standard = roster.filter((entry) => entry.active_by_default).map(({ slug }) => slug);
  const exclude = namesOf(named.exclude) ?? [];
  const chosen = (namesOf(named.include) ?? standard).filter((slug) => !exclude.includes(slug));
  const known = roster.map((entry) => ({
    slug: entry.slug,
    name: entry.name,
    lack: lackOf(entry),
    isChosen: chosen.includes(entry.slug),
  }));
  return [...known, ...unknown(chosen, known)];
}

function lackOf({ configured, keyless, requires_key }: Searcher): string | undefined {
  if (configured || (keyless !== undefined && keyless.runs !== 'never')) return undefined;
  if (requires_key !== false) return 'no key';
  return keyless === undefined ? 'no address' : 'not asked here';
}

function fetchChoices(
  request: PlannedRequest,
  roster: readonly Fetcher[],
): readonly ProviderChoice[] {
  const standard = roster
    .filter(({ in_default_chain }) => in_default_chain)
    .toSorted((one, other) => (one.chain_position ?? 0) - (other.chain_position ?? 0))
    .map(({ name }) => name);
  const chain = namesOf(optionsOf(request).providers) ?? standard;
  const place = (name: string) => (chain.includes(name) ? chain.indexOf(name) + 1 : undefined);
  const known = roster.map(({ name, configured }) => ({
    slug: name,
    name,
    lack: configured ? undefined : 'no key',
    isChosen: chain.includes(name),
    place: place(name),
  }));
  return [...known, ...unknown(chain, known).map((each) => ({ ...each, place: place(each.slug) }))];
}

/** Names from a link or a record: they can be seen, and removed. */
const unknown = (
  chosen: readonly string[],
  known: readonly ProviderChoice[],
): readonly ProviderChoice[] =>
  chosen
    .filter((slug) => !known.some((each) => each.slug === slug))
    .map((slug) => ({ slug, name: slug, isChosen: true }));

/**
 * Why the request as it is would ask no provider, as a sentence; undefined while one can be asked.
 */
export function lackOfAll(
  request: PlannedRequest,
  choices: readonly ProviderChoice[],
): string | undefined {
  const asked = choices.filter(({ isChosen }) => isChosen || mayAskOthers(request));
  if (asked.length === 0 || asked.some(({ lack }) => lack === undefined)) return undefined;
  const chosen = asked.filter(({ isChosen }) => isChosen);
  const [only, another] = chosen.map(({ slug, lack }) => `${slug} (${lack})`);
  if (only === undefined || another !== undefined)
    return `${NONE[request.mode]} can be asked here.`;
  return `${only} cannot be asked here.`;
}

const NONE: Readonly<Record<Mode, string>> = {
  search: 'None of the chosen providers',
  fetch: 'No provider of the chain',
};

/** Auto-routing and a fallback ask others than the chosen ones. */
function mayAskOthers(request: PlannedRequest): boolean {
  if (request.mode !== 'search') return false;
  const { auto_routing: routing, providers, fallback } = optionsOf(request);
  const isLimited = isJsonObject(providers) && namesOf(providers.include) !== undefined;
  return (routing === 'accuracy' && !isLimited) || (fallback !== undefined && fallback !== 'off');
}
