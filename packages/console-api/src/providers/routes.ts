import { type Clock, DAY_MS, jsonText } from '@trawl/base';
import type { Circuit } from '@trawl/contract';
import type { ConsoleProvider } from '@trawl/contract/console';
import {
  type Deployment,
  type Offer,
  offersOf,
  type ProviderFigures,
  type ProviderReader,
  providerFigures,
  readStore,
  talliesOf,
  usdOf,
} from '@trawl/router';
import type { ServerParts } from '@trawl/server';
import type { MonitoredUpstreamRunner, ProviderHealth } from '@trawl/upstream';
import type { ConsoleHandlers } from '../serving/handler.ts';
import { spanOf } from '../serving/span.ts';

type CircuitReader = Pick<MonitoredUpstreamRunner, 'accesses' | 'health'>;

export interface ProviderOptions {
  readonly deployment: Deployment;
  readonly runner: CircuitReader;
  readonly healthOf: ServerParts['healthOf'];
  readonly providers: ProviderReader;
  readonly clock: Clock;
}

const LENGTH = { usualMs: DAY_MS, daysMax: 31 };

/**
 * GET …/providers: what each provider can supply, whether it can be asked now, and how it did in
 * the project.
 */
export function providerRoutes({
  deployment,
  runner,
  healthOf,
  providers,
  clock,
}: ProviderOptions): Pick<ConsoleHandlers, 'listProviders'> {
  return {
    listProviders: async ({ params, query }) => {
      const span = spanOf(query, clock.now(), LENGTH);
      const tallies = await readStore(() => talliesOf(providers, params.project_id, span));
      const rows = offersOf(deployment).map((offer) => {
        const own = tallies.get(`${offer.slug} ${offer.operation}`) ?? [];
        const answers = offer.operation === 'search' ? healthOf(offer.slug) : null;
        return { ...consoleProvider(offer, providerFigures(own), runner), answers };
      });
      return { text: jsonText({ ...span, providers: rows }) };
    },
  };
}

function consoleProvider(
  offer: Offer,
  figures: ProviderFigures,
  runner: CircuitReader,
): Omit<ConsoleProvider, 'answers'> {
  const { slug, operation } = offer;
  const health = offer.target && runner.health(offer.target);
  const isRefused = health?.cause === REFUSED || figures.lastError === REFUSED;
  return {
    slug,
    operation,
    description: offer.description,
    docs_url: offer.docsUrl,
    data_use: offer.dataUse,
    key_page: offer.keyPage && { url: offer.keyPage.url, free: offer.keyPage.free ?? null },
    credential: credentialOf(offer, isRefused),
    setting: offer.setting,
    is_default: offer.isDefault,
    chain_position: offer.chainPosition,
    price: offer.price,
    circuit: health && circuitOf(health),
    accesses: accessesOf(offer, runner),
    supply: offer.supply.map((field) => ({ ...field, tiers: [...field.tiers] })),
    filters: offer.filters.map((fact) => ({ ...fact })),
    figures: consoleFigures(figures),
  };
}

const circuitOf = ({ state, cause, retryAfterMs }: ProviderHealth): Circuit => ({
  state,
  cause,
  retry_after_ms: retryAfterMs,
});

/** Empty for a provider that is not set up, and for one without keys at its vendor's address. */
function accessesOf(
  { target, isConfigured }: Offer,
  runner: CircuitReader,
): ConsoleProvider['accesses'] {
  if (target === null || !isConfigured) return [];
  if (target.credentials.length === 0 && !target.isOwnAddress) return [];
  return runner.accesses(target).map(({ keyTail, address, ...health }) => ({
    key_tail: keyTail,
    address,
    circuit: circuitOf(health),
  }));
}

const REFUSED = 'invalid_credential';

function credentialOf(offer: Offer, isRefused: boolean): ConsoleProvider['credential'] {
  if (offer.isKeyless) return 'keyless';
  if (!offer.isConfigured) return 'missing';
  if (isRefused) return 'refused';
  return offer.needsCredential ? 'set' : 'not_needed';
}

const consoleFigures = (figures: ProviderFigures): ConsoleProvider['figures'] => ({
  asked: figures.asked,
  failed: figures.failed,
  page_failures: figures.pageFailures,
  not_sent: figures.notSent,
  empty: figures.empty,
  counted: figures.counted,
  latency_ms: figures.latencyMs,
  calls: figures.calls,
  unpriced_calls: figures.unpricedCalls,
  cost_usd: usdOf(figures.costMicros),
  failures: figures.failures.map(({ code, kind, runs, latest }) => ({
    code,
    kind,
    runs,
    latest: {
      at: latest.at,
      session_id: latest.sessionId,
      interaction_id: latest.interactionId,
    },
  })),
});
