import { type Clock, isoTime } from '@trawl/base';
import { type ApiKey, changeStore, readStore } from '@trawl/router';
import type { LoginUse, Store } from '@trawl/store';
import { LRUCache } from 'lru-cache';
import { endEntry } from '../admin/login-end.ts';
import { isInForce } from '../auth/authenticate.ts';
import { secretDigest } from '../auth/login-secrets.ts';
import type { LoginPlace } from '../config/login-place.ts';

export interface LoginAuthenticatorOptions {
  readonly store: Pick<Store, 'logins' | 'changing'>;
  readonly place: LoginPlace;
  readonly clock: Clock;
}

const REMEMBERED_MS = 1_000;
const REMEMBERED_MAX = 10_000;

/**
 * Finds logins by their tokens. The role of the person and the setting of the project are asked
 * again a second later; where they do not allow the login any more, it ends.
 */
export function createFindLogin({
  store,
  place,
  clock,
}: LoginAuthenticatorOptions): (token: string) => Promise<ApiKey | undefined> {
  // by a time that is never set back, as for keys in progress too: a promise for one second
  const asked = new LRUCache<string, Promise<LoginUse | undefined>>({
    max: REMEMBERED_MAX,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
  });
  const now = () => isoTime(clock.now());

  const look = async (digest: string): Promise<LoginUse | undefined> => {
    const use = await readStore(() => store.logins.find(digest, now()));
    const lost = use?.lost;
    if (use && lost) {
      await changeStore(() =>
        store.changing(async ({ logins, accounts }) => {
          const login = await logins.end(use.key.id, now());
          if (login) await accounts.audit.write(endEntry(login, lost, { clock }));
        }),
      );
    }
    return use;
  };

  return async (token) => {
    const digest = secretDigest(token, place);
    const known = asked.get(digest);
    const looking = known ?? look(digest);
    if (!known) {
      asked.set(digest, looking);
      // the caller gets the failure, and the next request looks again
      looking.catch(() => asked.delete(digest));
    }
    const use = await looking;
    return use && !use.lost && isInForce(use.key, clock.now()) ? use.key : undefined;
  };
}
