import { hash } from 'node:crypto';
import {
  type Clock,
  type Closers,
  createMemoryRateLimiter,
  DAY_MS,
  type RateLimiter,
} from '@trawl/base';
import type { KeyChanges, RedisMonitor } from '@trawl/redis';
import {
  createMemoryPageCache,
  type Deployment,
  type Flights,
  type PageCache,
} from '@trawl/router';
import { openFault, type Store } from '@trawl/store';
import { type BreakerStore, createMemoryPaces, type PaceStore } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';

/**
 * What replicas share where there is a Redis, and what each process has for itself otherwise. All
 * of it may be lost.
 */
export interface SharedState {
  readonly rateLimiter: RateLimiter;
  /** null = switched off. */
  readonly cache: PageCache | null;
  /** Absent = in this process alone. */
  readonly circuits?: BreakerStore;
  /** Of hashes that are shared, such as those of keys. */
  readonly salt?: string;
  /** Absent = in this process alone. */
  readonly paces?: PaceStore;
  readonly flights?: Flights;
  readonly keyChanges?: KeyChanges;
  readonly redis?: RedisMonitor;
}

export interface SharedStateOptions {
  readonly config: Config;
  /** The providers as they are now, whose keys may change. */
  readonly deployment: Deployment;
  readonly store: Pick<Store, 'setting'>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly closers: Closers;
}

/**
 * Connects to Redis if there is one. Its client is loaded only then. A Redis that cannot be reached
 * delays the start by two seconds at most.
 */
export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { config, clock, deployment, store, log } = options;
  const keptMs = (config.retentionDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
  const ttlMs = Math.min(config.pageCacheTtlSeconds * 1000, keptMs);
  const elapsed = () => performance.now();
  const rateLimiter = createMemoryRateLimiter(elapsed);
  const cache = ttlMs === 0 ? null : createMemoryPageCache({ ttlMs, now: clock.now });
  if (config.redisUrl === undefined) return { rateLimiter, cache };
  const deploymentId = await deploymentIdOf(config, store, clock);
  const redis = await import('@trawl/redis');
  const link = redis.createRedisLink({ address: config.redisUrl, deploymentId, log });
  options.closers.push(link.close);
  const maxBytes = config.redisPageCacheMaxBytes;
  const markOf = (provider: string) => markOfKey(deployment, provider, deploymentId);
  const shared = {
    rateLimiter: redis.createSharedRateLimiter(link, rateLimiter),
    cache: cache && redis.createSharedPageCache(link, { ttlMs, maxBytes, local: cache }),
    circuits: redis.createSharedCircuits(link, { elapsed, log, markOf }),
    salt: deploymentId,
    paces: redis.createSharedPaces(link, createMemoryPaces(elapsed)),
    flights: redis.createSharedFlights(link, clock.now),
    keyChanges: redis.createKeyChanges(link),
    redis: link,
  };
  await link.start();
  return shared;
}

/**
 * The same for all servers on one database, and for no others; `INSTANCE_ID` may differ between
 * them.
 */
async function deploymentIdOf(
  config: Config,
  store: Pick<Store, 'setting'>,
  clock: Clock,
): Promise<string> {
  try {
    return await store.setting('instance_id', clock.newId());
  } catch (error) {
    throw openFault(config, error);
  }
}

/** Differs where replicas have different keys of a provider, as while one is being replaced. */
function markOfKey(
  { searchProviders, fetchProviders }: Deployment,
  provider: string,
  salt: string,
): string {
  const fetching = fetchProviders.get(provider);
  const target =
    searchProviders.get(provider)?.target ??
    (fetching && 'target' in fetching ? fetching.target : undefined);
  return hash('sha256', [salt, ...(target?.credentials ?? [])].join('\n'), 'hex').slice(0, 12);
}
