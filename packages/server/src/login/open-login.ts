import { type Clock, isoTime, type RateLimiter } from '@trawl/base';
import { createDocumentReader, type DocumentReader } from '@trawl/reader';
import { changeStore } from '@trawl/router';
import type { Store } from '@trawl/store';
import type { TokenRequests } from '../auth/token-answer.ts';
import type { Config } from '../config/config.ts';
import { type LoginPlace, loginPlace } from '../config/login-place.ts';
import { createFindLogin } from './authenticate-login.ts';
import { type Clients, createClients } from './clients.ts';
import { createTokenRequests } from './token-requests.ts';

/** Login for `/mcp`, where it is on. */
export interface Login {
  readonly place: LoginPlace;
  readonly clients: Clients;
  readonly requests: TokenRequests;
  readonly find: ReturnType<typeof createFindLogin>;
}

export interface LoginOptions {
  readonly config: Config;
  readonly version: string;
  readonly store: Pick<Store, 'logins' | 'changing'>;
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
  /** Reads documents of clients; the guarded reader when absent. */
  readonly readDocument?: DocumentReader | undefined;
}

const DOCUMENT_BYTES = 5 * 1024;
const DOCUMENT_MS = 5_000;

/** undefined = it is off, which ends all codes and tokens, or a setting is missing. */
export async function openLogin(options: LoginOptions): Promise<Login | undefined> {
  const { config, version, store, clock, rateLimiter } = options;
  const place = loginPlace(config);
  if (config.mcpLogin === 'off') {
    await changeStore(() => store.logins.endTokens(isoTime(clock.now())));
  }
  if (!place) return undefined;
  const read =
    options.readDocument ??
    createDocumentReader({
      allowed: config.fetchAllowPrivateHosts,
      proxyUrl: config.directProxy,
      userAgent: `trawl/${version}`,
      maxBytes: DOCUMENT_BYTES,
      timeoutMs: DOCUMENT_MS,
    });
  return {
    place,
    clients: createClients({ store: store.logins, read, place, rateLimiter, clock }),
    requests: createTokenRequests({ store, place, clock }),
    find: createFindLogin({ store, clock }),
  };
}
