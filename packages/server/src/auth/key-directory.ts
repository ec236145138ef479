import type { Clock } from '@trawl/base';
import { type ApiKey, type KeyStore, RequestError } from '@trawl/router';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

export interface KeyDirectoryOptions {
  readonly keys: Pick<KeyStore, 'findKey' | 'revision'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How often the revision of the keys is read, in milliseconds. */
  readonly pollMs: number;
  readonly log: Logger;
}

/** The stored keys, read from memory while their revision in the store is the same. */
export interface KeyDirectory {
  /** The key of a digest. Refuses with 503 when the store cannot be asked. */
  find(digest: string): Promise<ApiKey | undefined>;
  /** Reads the revision now. Never rejects. */
  refresh(): Promise<void>;
  /** Another server changed a key: remembered keys are looked up again from now on. */
  changed(): void;
  start(): void;
  stop(): void;
}

const REMEMBERED_MAX = 10_000;
const RETRY_AFTER_SECONDS = '5';
/**
 * Polls that may be missed before remembered keys are doubted, so a hanging poll counts as a failed
 * one.
 */
const POLLS_MISSED_MAX = 4;

export function createKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { keys, clock, pollMs, log } = options;
  let revision: number | undefined;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let failing = false;
  let polling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const remembered = createKeyMemory(
    keys,
    () => clock.now() - confirmedAt <= pollMs * POLLS_MISSED_MAX,
  );

  async function poll(): Promise<void> {
    const askedAt = clock.now();
    try {
      const current = await keys.revision();
      if (current !== revision) remembered.forget();
      revision = current;
      confirmedAt = askedAt;
      if (failing) log.info('API keys are remembered again');
      failing = false;
    } catch (err) {
      remembered.forget();
      confirmedAt = Number.NEGATIVE_INFINITY;
      if (!failing) log.warn({ err }, 'changes of API keys cannot be read: each key is looked up');
      failing = true;
    }
  }

  function refresh(): Promise<void> {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
    return polling;
  }

  return {
    find: remembered.find,
    refresh,
    changed() {
      remembered.forget();
      // a poll in progress may have read the revision before the change
      void (polling ?? Promise.resolve()).then(refresh);
    },
    start() {
      if (timer) return;
      void refresh();
      timer = setInterval(refresh, pollMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/**
 * Keys as found, until they are forgotten. @param isWarm whether remembered keys are still valid
 */
function createKeyMemory(keys: Pick<KeyStore, 'findKey'>, isWarm: () => boolean) {
  // Two caches: made-up keys can only displace other made-up keys.
  const known = new LRUCache<string, ApiKey>({ max: REMEMBERED_MAX });
  const unknown = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  /**
   * Lookups in progress, by digest. A new map for each revision: results of lookups in an old map
   * are not remembered.
   */
  let lookups = new Map<string, Promise<ApiKey | undefined>>();

  async function lookUp(digest: string): Promise<ApiKey | undefined> {
    const generation = lookups;
    try {
      const key = await keys.findKey(digest);
      if (generation === lookups && isWarm()) {
        if (key) known.set(digest, key);
        else unknown.set(digest, true);
      }
      return key;
    } catch (cause) {
      throw notChecked(cause);
    }
  }

  function sharedLookUp(digest: string): Promise<ApiKey | undefined> {
    const generation = lookups;
    const underWay = generation.get(digest);
    if (underWay) return underWay;
    const lookup = lookUp(digest);
    generation.set(digest, lookup);
    const done = () => void generation.delete(digest);
    lookup.then(done, done);
    return lookup;
  }

  return {
    async find(digest: string): Promise<ApiKey | undefined> {
      if (!isWarm()) return sharedLookUp(digest);
      const key = known.get(digest);
      if (key !== undefined || unknown.get(digest)) return key;
      return sharedLookUp(digest);
    },
    forget(): void {
      known.clear();
      unknown.clear();
      lookups = new Map();
    },
  };
}

const notChecked = (cause: unknown): RequestError =>
  new RequestError(503, 'API keys cannot be checked at the moment', {
    typed: { code: 'unavailable' },
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    cause,
  });
