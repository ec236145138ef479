import type { Warning } from '@trawl/contract';
import {
  type Deployment,
  inRosterOrder,
  isCandidate,
  keylessSlugs,
  lastOf,
  wellFirst,
} from '../deployment/deployment.ts';
import { type AllowedProviders, allowedOf, trainingWarnings } from '../keys/allowed-providers.ts';
import type { SearchCommand } from './command.ts';
import { type FallbackSet, fallbackSet } from './fallback.ts';

/** Which providers a request runs on. */
export interface ProviderSet {
  /** Slugs in the order of their runs. */
  readonly slugs: readonly string[];
  /** Unknown names of the default set, where it was used. */
  readonly skipped: readonly string[];
  /** About providers that would run in addition to `slugs`, but may not or cannot. */
  readonly notes: readonly Warning[];
  /** Candidates of auto-routing; null without it. */
  readonly candidates: readonly string[] | null;
  /** Candidates that are asked without a key: they come after the others. */
  readonly keyless: ReadonlySet<string>;
  /** Candidates that come last of all, as their answers went bad. */
  readonly last: ReadonlySet<string>;
  /** Candidates that cannot apply strict filters: what to say where one would have been chosen. */
  readonly unable: ReadonlyMap<string, Warning>;
  /** What may run after these; null = nothing. */
  readonly fallback: FallbackSet | null;
}

/**
 * The providers that a request names to run, in either spelling; undefined when the deployment
 * decides.
 */
export function namedProviders(command: SearchCommand): readonly string[] | undefined {
  const { options, preprocessorNames } = command;
  const names = preprocessorNames.length > 0 ? preprocessorNames : undefined;
  return options.providers?.include ?? names;
}

/** The candidates of auto-routing, in the order of the roster or the request. */
function routingCandidates(
  command: SearchCommand,
  deployment: Deployment,
  allowed: AllowedProviders,
): readonly string[] {
  const exclude = command.options.providers?.exclude ?? [];
  const routable = inRosterOrder(deployment).filter((slug) => {
    const provider = deployment.searchProviders.get(slug);
    return provider?.declaration.autoRoutable && isCandidate(provider);
  });
  const candidates = new Set(namedProviders(command) ?? allowedOf(routable, allowed));
  return [...candidates].filter((slug) => !exclude.includes(slug));
}

/** How many candidates run if auto-routing is on and none of the default set may run. */
export const STAND_INS = 3;

/**
 * Which of these providers run for a query whose topic decides nothing: those of the default set,
 * else the first.
 */
function unrouted(slugs: readonly string[], { defaultSet, searchProviders }: Deployment) {
  const usual = defaultSet.filter((slug) => slugs.includes(slug));
  if (usual.length > 0) return usual;
  return [...searchProviders.keys()].filter((slug) => slugs.includes(slug)).slice(0, STAND_INS);
}

/**
 * The set before filters are looked at.
 * @param isOwnChoice we named the providers: `fallback: "auto"` may ask others
 */
export function providerSet(
  command: SearchCommand,
  deployment: Deployment,
  allowed: AllowedProviders,
  isOwnChoice = false,
): ProviderSet {
  const isRouted = command.options.auto_routing !== undefined;
  const candidates = isRouted ? routingCandidates(command, deployment, allowed) : [];
  const exclude = command.options.providers?.exclude ?? [];
  const named = namedProviders(command);
  const usual = () => wellFirst(allowedOf(deployment.defaultSet, allowed), deployment);
  const wanted = [...new Set(named ?? usual())].filter((slug) => !exclude.includes(slug));
  const slugs = isRouted && named !== undefined ? unrouted(wanted, deployment) : wanted;
  const last = lastOf(named ? [] : [...slugs, ...candidates], deployment);
  const fallback = fallbackSet(
    command.options,
    isOwnChoice ? undefined : named,
    deployment,
    allowed,
  );
  const usualNotes = named ? [] : trainingWarnings(deployment.defaultSet, allowed);
  return {
    slugs: slugs.length > 0 ? slugs : candidates.slice(0, STAND_INS),
    skipped: named ? [] : deployment.unknownDefaults,
    notes: [...usualNotes, ...lastWarnings([...last, ...(fallback?.last ?? [])])],
    candidates: isRouted ? candidates : null,
    keyless: isRouted ? keylessSlugs(deployment) : new Set(),
    last,
    unable: new Map(),
    fallback,
  };
}

/** Says which providers come last, and why. */
const lastWarnings = (last: readonly string[]): readonly Warning[] =>
  [...new Set(last)].map((slug) => ({
    code: 'provider_last',
    message: `${slug} comes last, since its answers went bad; name it in search.providers.include to ask it in any case`,
  }));
