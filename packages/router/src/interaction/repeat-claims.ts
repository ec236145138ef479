import { type Clock, isoTime } from '@trawl/base';
import type { RepeatedRequest, RequestRepeat } from './records.ts';
import type { InteractionReader, InteractionStore } from './store.ts';

/** How long a key is bound to its request. */
export const REPEATED_FOR_MS = 24 * 3_600_000;

/** A request that is safe to repeat. */
export interface RepeatableRequest {
  readonly projectId: string;
  readonly keyId: string;
  readonly repeat: RequestRepeat;
}

/** Decides between the servers of one store which of them executes a repeatable request. */
export interface RepeatClaims {
  /** @throws RequestError 503 where that cannot be known now */
  claim(request: RepeatableRequest): Promise<RepeatClaim>;
}

export type RepeatClaim =
  | {
      readonly kind: 'granted';
      /**
       * For the record, whose transaction ends the lease; undefined = this store has one server.
       */
      readonly leaseId: string | undefined;
      /** The store ends the lease: with the record, or when its time is over. */
      readonly leave: () => void;
      /**
       * Nothing was recorded: the request may be executed again. Never rejects; where the store
       * does not answer, the lease ends later.
       */
      readonly release: () => Promise<void>;
    }
  | ({ readonly kind: 'answered' } & RepeatedRequest)
  /** A request with the same key is being executed, or its server has ended. */
  | {
      readonly kind: 'running';
      readonly bodyDigest: string;
      /** When its lease ends. */
      readonly endsInMs: number;
    };

const nothing = (): void => {};

/**
 * For a store that only one server uses: what is not answered is not running, because the server
 * knows its own requests.
 */
export function repeatsOfOneServer(
  reader: Pick<InteractionReader, 'repeated'>,
  interactions: Pick<InteractionStore, 'ready'>,
  clock: Pick<Clock, 'now'>,
): RepeatClaims {
  return {
    claim: async ({ keyId, repeat }) => {
      // a record that took too long may still wait for its commit: when the store is ready, it is
      // committed or lost
      const notReady = await interactions.ready().then(nothing, (error: unknown) => ({ error }));
      const notBefore = isoTime(clock.now() - REPEATED_FOR_MS);
      const answered = await reader.repeated(keyId, repeat.key, notBefore);
      if (answered) return { kind: 'answered', ...answered };
      if (notReady) throw notReady.error;
      return { kind: 'granted', leaseId: undefined, leave: nothing, release: async () => {} };
    },
  };
}
