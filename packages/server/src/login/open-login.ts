import { type Clock, isoTime, type RateLimiter } from '@trawl/base';
import { createDocumentReader, type DocumentReader } from '@trawl/reader';
import { changeStore } from '@trawl/router';
import type { Store } from '@trawl/store';
import type { Logger } from 'pino';
import { commandLineEntry } from '../admin/audit-entry.ts';
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
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
  /** Reads documents of clients; the guarded reader when absent. */
  readonly readDocument?: DocumentReader | undefined;
}

const DOCUMENT_BYTES = 5 * 1024;
const DOCUMENT_MS = 5_000;

/** undefined = it is off, which ends all logins, or a setting is missing. */
export async function openLogin(options: LoginOptions): Promise<Login | undefined> {
  const { config, version, store, clock, rateLimiter } = options;
  const place = loginPlace(config);
  if (config.mcpLogin === 'off') {
    await endAll(options);
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
    find: createFindLogin({ store, place, clock }),
  };
}

async function endAll({ store, log, clock }: LoginOptions): Promise<void> {
  const ended = await changeStore(() =>
    store.changing(async ({ logins, accounts }) => {
      const count = await logins.endAll(isoTime(clock.now()));
      const detail = { logins: count, because: 'mcp_login_off' };
      if (count > 0) {
        await accounts.audit.write(commandLineEntry({ action: 'login.ended', detail }, clock));
      }
      return count;
    }),
  );
  if (ended > 0) log.warn({ logins: ended }, 'MCP_LOGIN is off: all logins for /mcp ended');
}
