/** The cookies of one chain of redirects on one host (RFC 6265). */
export interface RedirectCookies {
  /** Keeps those that an answer sets, and drops those that it ends. */
  take(url: URL, set: readonly string[]): void;
  /** The Cookie header for a request; absent = none. */
  header(url: URL): string | undefined;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
}

const COOKIES_MAX = 20;
/** Of one, with its attributes; a longer one is ignored. */
const COOKIE_MAX_CHARACTERS = 4_096;
/** Nothing else may stand in a header. */
const PLAIN = /^[\x20-\x7e\x80-\xff]+$/;

/** Cookies that are kept until they are dropped, the oldest first where they are too many. */
export function createCookies(): RedirectCookies {
  const kept = new Map<string, Cookie>();
  return {
    take: (url, set) => {
      for (const line of set.slice(0, 2 * COOKIES_MAX)) {
        const read = line.length <= COOKIE_MAX_CHARACTERS ? readCookie(line, url) : null;
        if (read === null) continue;
        const key = `${read.cookie.name};${read.cookie.path}`;
        kept.delete(key);
        if (read.isEnded) continue;
        const [oldest] = kept.keys();
        if (kept.size >= COOKIES_MAX && oldest !== undefined) kept.delete(oldest);
        kept.set(key, read.cookie);
      }
    },
    header: (url) => {
      const sent = [...kept.values()].filter((cookie) => isFor(cookie, url));
      // longer paths first (5.4)
      sent.sort((a, b) => b.path.length - a.path.length);
      return sent.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined;
    },
  };
}

const isHttps = ({ protocol }: URL): boolean => protocol === 'https:';

/** RFC 6265 5.1.4. */
function isFor({ path, isSecure }: Cookie, url: URL): boolean {
  if (isSecure && !isHttps(url)) return false;
  const { pathname } = url;
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

/** A Set-Cookie header (RFC 6265 5.2, 5.3); null = it sets nothing for this host. */
function readCookie(
  line: string,
  url: URL,
): { readonly cookie: Cookie; readonly isEnded: boolean } | null {
  const [pair = '', ...parts] = line.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  if (equals < 0 || name === '' || !PLAIN.test(`${name}${value}`)) return null;
  const given = new Map(
    parts.map((part) => {
      const [key = '', ...rest] = part.split('=');
      return [key.trim().toLowerCase(), rest.join('=').trim()];
    }),
  );
  const domain = (given.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  if (domain !== '' && !`.${url.hostname}`.endsWith(`.${domain}`)) return null;
  const isSecure = given.has('secure');
  if (isSecure && !isHttps(url)) return null;
  const path = given.get('path') ?? '';
  const folder = url.pathname.slice(0, url.pathname.lastIndexOf('/')) || '/';
  const cookie = { name, value, path: path.startsWith('/') ? path : folder, isSecure };
  return { cookie, isEnded: isOver(given) };
}

function isOver(given: ReadonlyMap<string, string>): boolean {
  const age = given.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return Number(age) <= 0;
  return Date.parse(given.get('expires') ?? '') <= Date.now();
}
