import type { RedisClientOptions } from '@redis/client';

/** The port of Redis where an address names none. */
const PORT = 6379;

/** The parts of a `redis://` or `rediss://` address as the client takes them. `rediss` is TLS. */
export function clientOptions(
  address: string,
): Pick<RedisClientOptions, 'socket' | 'username' | 'password' | 'database'> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { host, port: url.port === '' ? PORT : Number(url.port) };
  const database = Number(url.pathname.slice(1));
  return {
    socket:
      url.protocol === 'rediss:'
        ? { ...place, tls: true, servername: host }
        : { ...place, tls: false },
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    ...(database === 0 ? {} : { database }),
  };
}

/** The address without user and password, for messages. */
export function shownAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
