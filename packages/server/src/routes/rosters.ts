import { type Clock, HOUR_MS, isoTime, jsonText } from '@trawl/base';
import type { ProbeOperation } from '@trawl/contract';
import {
  type Deployment,
  fetchRoster,
  type ProviderReader,
  providerFigures,
  searchRoster,
  talliesOf,
} from '@trawl/router';
import { type HealthWatch, shownHealth } from '../health/watch-health.ts';
import type { Handlers, RequestContext } from '../http/handler.ts';

const HOURS = 24;

/**
 * GET /v1/preprocessors and GET /v1/fetch-providers: the providers of this deployment, with figures
 * for a key that may manage its project.
 */
export function rosterRoutes(
  deployment: Deployment,
  providers: ProviderReader,
  { clock, health }: { readonly clock: Clock; readonly health: Pick<HealthWatch, 'of'> },
): Pick<Handlers, 'preprocessors' | 'fetchProviders'> {
  const withFigures = async <Entry extends object>(
    entries: readonly Entry[],
    nameOf: (entry: Entry) => string,
    operation: ProbeOperation,
    { caller, log }: RequestContext,
  ) => {
    if (!caller?.permissions.includes('manage')) return [...entries];
    const now = clock.now();
    const span = { from: isoTime(now - HOURS * HOUR_MS), to: isoTime(now + 1) };
    // the roster itself needs no store
    const tallies = await talliesOf(providers, caller.projectId, span).catch((error: unknown) => {
      log().warn({ err: error }, 'the roster has no figures: the store could not be read');
    });
    if (!tallies) return [...entries];
    return entries.map((entry) => {
      const own = tallies.get(`${nameOf(entry)} ${operation}`) ?? [];
      const { asked, notSent, failed, latencyMs } = providerFigures(own);
      const median = latencyMs && { p50_ms: latencyMs.p50 };
      return { ...entry, figures: { hours: HOURS, asked, not_sent: notSent, failed, ...median } };
    });
  };
  return {
    preprocessors: async (_input, context) => {
      const preprocessors = searchRoster(deployment).map((entry) => ({
        ...entry,
        health: shownHealth(health.of(entry.slug)),
      }));
      return {
        text: jsonText({
          preprocessors: await withFigures(preprocessors, ({ slug }) => slug, 'search', context),
        }),
      };
    },
    fetchProviders: async (_input, context) => {
      const { fetch_providers } = fetchRoster(deployment);
      return {
        text: jsonText({
          fetch_providers: await withFigures(fetch_providers, ({ name }) => name, 'fetch', context),
        }),
      };
    },
  };
}
