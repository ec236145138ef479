import type { Clock, RateLimiter } from '@trawl/base';
import type { DocumentReader } from '@trawl/reader';
import { readStore } from '@trawl/router';
import type { LoginStore } from '@trawl/store';
import { LRUCache } from 'lru-cache';
import type { LoginPlace } from '../config/login-place.ts';
import { type Client, clientOf, documentUrl } from './client-document.ts';

export interface ClientsOptions {
  readonly store: Pick<LoginStore, 'client'>;
  readonly read: DocumentReader;
  readonly place: LoginPlace;
  readonly rateLimiter: RateLimiter;
  readonly clock: Pick<Clock, 'now'>;
}

/** Clients by their ids. */
export interface Clients {
  /**
   * The client of an id, for a person who has signed in: strangers make no one ask other sites.
   * @returns a text = why it is not known
   * @throws RequestError 503 when the store cannot be read
   */
  find(clientId: string, personId: string): Promise<Client | string>;
}

const PERSON_PER_MINUTE = 5;
const ALL_PER_MINUTE = 30;
const KEPT_MAX = 1_000;
const SECOND_MS = 1_000;
const USUAL_SECONDS = 3_600;
const LONGEST_SECONDS = 86_400;
const FAILURE_SECONDS = 60;

/** Operators' clients are in the store; others are documents of sites, of which copies are kept. */
export function createClients({ store, read, place, rateLimiter, clock }: ClientsOptions): Clients {
  const known = new LRUCache<string, { readonly found: Client | string }>({
    max: KEPT_MAX,
    ttl: USUAL_SECONDS * SECOND_MS,
    ttlResolution: 0,
    perf: { now: clock.now },
  });
  const underWay = new Map<string, Promise<Client | string>>();

  const readClient = async (url: URL): Promise<Client | string> => {
    const document = await read(url);
    const found = 'problem' in document ? document.problem : clientOf(url, document.text);
    const isFailure = typeof found === 'string' || 'problem' in document;
    const seconds = isFailure ? FAILURE_SECONDS : (document.freshSeconds ?? USUAL_SECONDS);
    if (seconds > 0) {
      known.set(url.href, { found }, { ttl: Math.min(seconds, LONGEST_SECONDS) * SECOND_MS });
    }
    return found;
  };

  const documentClient = async (url: URL, personId: string): Promise<Client | string> => {
    const kept = known.get(url.href);
    if (kept) return kept.found;
    const { isAllowed } = await rateLimiter.take([
      { id: `login documents ${personId}`, perMinute: PERSON_PER_MINUTE },
      { id: 'login documents', perMinute: ALL_PER_MINUTE },
    ]);
    if (!isAllowed) return 'too many were asked for in this minute; wait a minute';
    const reading =
      underWay.get(url.href) ?? readClient(url).finally(() => underWay.delete(url.href));
    underWay.set(url.href, reading);
    return reading;
  };

  return {
    find: async (clientId, personId) => {
      const entered = await readStore(() => store.client(clientId));
      if (entered) {
        const { id, name, redirectUris } = entered;
        return { id, name, redirectUris, host: null };
      }
      const url = documentUrl(clientId);
      if (url === null) {
        return 'no operator entered a program of this id, and the id is no https address of a document about a program. Programs cannot register themselves here';
      }
      if (url.origin === place.issuer) return 'it is an address of this server';
      const found = await documentClient(url, personId);
      return typeof found === 'string' ? `the document about the program: ${found}` : found;
    },
  };
}
