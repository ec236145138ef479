import type {
  FetchProviderEntry,
  PreprocessorEntry,
  ProviderSelection,
  Trawl,
} from '@trawl/client';

/** The providers of a server, in the order of its rosters. */
export interface Rosters {
  readonly search: readonly PreprocessorEntry[];
  readonly fetch: readonly FetchProviderEntry[];
}

/** Reads the rosters; null when the server cannot be reached. */
export type ReadRosters = (client: Trawl) => Promise<Rosters | null>;

/** A server changes its providers only with a restart. */
const CACHE_MS = 60_000;
/** A host waits for the list of tools before it does anything else. */
const TIMEOUT_MS = 2_000;

/** Creates a reader that caches the rosters of one server for a minute. Failures are not cached. */
export function rosterReader(): ReadRosters {
  let kept: { readonly rosters: Rosters; readonly until: number } | undefined;
  return async (client) => {
    if (kept && performance.now() < kept.until) return kept.rosters;
    const options = { timeoutMs: TIMEOUT_MS };
    try {
      const [{ preprocessors }, { fetch_providers }] = await Promise.all([
        client.preprocessors(options),
        client.fetchProviders(options),
      ]);
      const rosters = { search: preprocessors, fetch: fetch_providers };
      kept = { rosters, until: performance.now() + CACHE_MS };
      return rosters;
    } catch {
      // the tools are listed without providers, and a call will report the problem
      return null;
    }
  };
}

/**
 * Lists the search providers that a call can use. `own` is the selection in this client's settings.
 */
export function searchProvidersText({ search }: Rosters, own: ProviderSelection): string {
  const configured = search.filter(isAsked);
  if (configured.length === 0) {
    return 'No search provider is configured on this server: a search fails until one is.';
  }
  const isDefault = ({ slug, active_by_default }: PreprocessorEntry): boolean =>
    (own.include?.includes(slug) ?? active_by_default) && !own.exclude?.includes(slug);
  const defaults = configured.filter(isDefault).map(({ slug }) => slug);
  const others = configured.filter((entry) => !isDefault(entry)).map(({ slug }) => slug);
  return sentence([
    ['by default ', defaults],
    ['only when included ', others],
  ]);
}

/** Lists the fetch providers that a call can use. */
export function fetchProvidersText({ fetch }: Rosters): string {
  const configured = fetch.filter(isAsked);
  if (configured.length === 0) {
    return 'No fetch provider is configured on this server: a fetch fails until one is.';
  }
  const isInChain = ({ in_default_chain }: FetchProviderEntry): boolean => in_default_chain;
  const inChain = configured
    .filter(isInChain)
    .toSorted((a, b) => (a.chain_position ?? 0) - (b.chain_position ?? 0))
    .map(({ name }) => name);
  const others = configured.filter((entry) => !isInChain(entry)).map(({ name }) => name);
  return sentence([
    ['by default, in turn until one reads the page, ', inChain],
    ['only when named ', others],
  ]);
}

/** Those that answer without a key can be named too. */
const isAsked = ({
  configured,
  keyless,
}: Pick<FetchProviderEntry, 'configured' | 'keyless'>): boolean =>
  configured || (keyless !== undefined && keyless.runs !== 'never');

const sentence = (parts: readonly (readonly [string, readonly string[]])[]): string =>
  `Configured providers: ${parts
    .filter(([, names]) => names.length > 0)
    .map(([when, names]) => `${when}${names.join(', ')}`)
    .join('; ')}.`;
