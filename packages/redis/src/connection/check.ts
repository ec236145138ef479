import { shownAddress } from './address.ts';
import { causeOf } from './reply-error.ts';
import { openSession } from './session.ts';

/** What a look at Redis found. */
export type RedisCheck =
  | {
      readonly kind: 'works';
      /** Without user and password. */
      readonly address: string;
      /** Of Redis, or the Redis that Valkey is compatible with; null = not said. */
      readonly version: string | null;
      /** What happens when its memory is full; null = not said. */
      readonly evictionPolicy: string | null;
    }
  /** `cause`: a code or a first word, never a secret. */
  | { readonly kind: 'fails'; readonly address: string; readonly cause: string };

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connects, writes one small value that expires, and reads what the server says of itself.
 */
export async function checkRedis(address: string): Promise<RedisCheck> {
  const shown = shownAddress(address);
  try {
    const session = await openSession({
      address,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      listeners: new Map(),
      checkKey: 'trawl:check',
      onBroken: () => {},
    });
    // a user without the right to ask it can do all else
    const info = await session.send(['INFO']).catch(() => '');
    session.close();
    const lines = String(info).split('\r\n');
    const fact = (name: string) =>
      lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
    return {
      kind: 'works',
      address: shown,
      version: fact('redis_version') ?? null,
      evictionPolicy: fact('maxmemory_policy') ?? null,
    };
  } catch (error) {
    return { kind: 'fails', address: shown, cause: causeOf(error) };
  }
}
