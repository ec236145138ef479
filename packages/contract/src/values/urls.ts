import { parsedUrl } from './parsed-url.ts';

/** Query parameters that only track where a visitor came from. Compared in lower case. */
const TRACKING_PREFIXES = ['utm_', '_hs', 'oly_'];
const TRACKING = new Set([
  'dclid',
  'fbclid',
  'gbraid',
  'gclid',
  'gclsrc',
  'igsh',
  'igshid',
  'li_fat_id',
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  'msclkid',
  'srsltid',
  'ttclid',
  'twclid',
  'vero_id',
  'wbraid',
  'yclid',
]);

function isTracking(parameter: string): boolean {
  const nameEnd = parameter.indexOf('=');
  const written = nameEnd < 0 ? parameter : parameter.slice(0, nameEnd);
  const name = HAS_CAPITAL.test(written) ? written.toLowerCase() : written;
  if (TRACKING.has(name)) return true;
  for (const prefix of TRACKING_PREFIXES) if (name.startsWith(prefix)) return true;
  return false;
}

/** Or another letter that may have a small form. */
const HAS_CAPITAL = /[A-Z\u0080-\uffff]/;

/** Characters; no browser or server accepts longer ones. */
const LONGEST_URL = 65_536;

/**
 * An address that the URL parser would return unchanged. Most are: finding that out takes a tenth
 * of the time of parsing them. Without dot segments, a port, letters that are encoded, and hosts
 * that could be a number.
 */
const UNCHANGED =
  /^https?:\/\/(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,63}(?:\/(?:[\w~!$&'()*+,;=:@-][\w~!$&'()*+,;=:@%.-]*)?)+(?:\?[\w~!$&()*+,;=:@%./-]+)?$/;
/** Characters; a longer address is parsed. */
const LONGEST_UNCHANGED = 2_048;

/** The start of a label of a host whose spelling the parser checks: `xn--`. */
const ENCODED_LABEL = 'xn-';

const isUnchanged = (text: string): boolean =>
  text.length <= LONGEST_UNCHANGED && UNCHANGED.test(text) && !text.includes(ENCODED_LABEL);

function hostOf(unchanged: string): string {
  const from = unchanged.indexOf('//') + 2;
  return unchanged.slice(from, unchanged.indexOf('/', from));
}

function parseHttp(value: string, base?: string): URL | null {
  if (value.length > LONGEST_URL) return null;
  const url = parsedUrl(value, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

export interface ComparableUrl {
  readonly url: string;
  readonly domain: string;
}

/**
 * A result URL in the form in which URLs are comparable across providers, with its host: scheme and
 * host in lower case, host in ASCII and without a dot at its end, no default port, no tracking
 * parameter, no empty query, dot segments resolved, escapes as RFC 3986 6.2.2 normalizes them. A
 * fragment stays only where it names the page of an app (`#/…`, `#!…`). The rest of the query keeps
 * its order and spelling; `www.` and trailing slashes stay. null when it is not an absolute http(s)
 * URL.
 */
export const comparableUrl = (value: string): ComparableUrl | null =>
  normalized(value, withoutTracking);

/** The same form with tracking parameters left in. */
export const urlWithTracking = (value: string): string | null =>
  normalized(value, (page) => page)?.url ?? null;

function normalized(value: string, clean: (page: string) => string): ComparableUrl | null {
  if (value.length > LONGEST_URL) return null;
  const [written, route] = splitFragment(value.trim());
  const page = withoutEscapes(written);
  // what is left of such an address needs no parsing either
  if (route === '' && isUnchanged(page)) {
    return { url: clean(page), domain: hostOf(page) };
  }
  const url = parseHttp(clean(page));
  if (url === null) return null;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  // reading an empty query back drops its question mark
  if (url.search === '') url.search = '';
  if (route !== '') url.hash = route;
  return { url: withoutEscapes(url.href), domain: url.hostname };
}

/** An address and its fragment, which is empty unless it names the page that an app shows. */
function splitFragment(value: string): readonly [string, string] {
  const at = value.indexOf('#');
  if (at < 0) return [value, ''];
  const fragment = value.slice(at);
  return [value.slice(0, at), /^#[/!]/.test(fragment) ? fragment : ''];
}

/** RFC 3986 2.3 */
const UNRESERVED = /[\w.~-]/;

/** Escapes of unreserved characters as these characters, the others in upper case. */
function withoutEscapes(address: string): string {
  if (!address.includes('%')) return address;
  return address.replace(/%[0-9a-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
    return UNRESERVED.test(character) ? character : written.toUpperCase();
  });
}

/** As text, before the one parse: setting a parsed URL's search would parse it again. */
function withoutTracking(page: string): string {
  const queryAt = page.indexOf('?');
  if (queryAt < 0) return page;
  let kept: string | null = null;
  let isWhole = true;
  for (let from = queryAt + 1; from <= page.length; ) {
    const next = page.indexOf('&', from);
    const end = next < 0 ? page.length : next;
    const parameter = page.slice(from, end);
    if (isTracking(parameter)) isWhole = false;
    else kept = kept === null ? parameter : `${kept}&${parameter}`;
    from = end + 1;
  }
  if (isWhole) return page;
  return kept ? `${page.slice(0, queryAt)}?${kept}` : page.slice(0, queryAt);
}

/** An absolute http(s) URL, resolved against the page that holds it; null for anything else. */
export function absoluteUrl(value: unknown, base: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const text = value.trim();
  if (isUnchanged(text)) return text;
  const isAbsolute = /^https?:\/\//i.test(text);
  const page = !isAbsolute && typeof base === 'string' ? base : undefined;
  return parseHttp(text, page)?.href ?? null;
}

/**
 * The http(s) addresses of a list as absolute URLs, each once; a mere `#part` of the page is left
 * out.
 */
export function webUrls(values: unknown, page: string): readonly string[] {
  const found = (Array.isArray(values) ? values : []).flatMap((value) => {
    const isPart = typeof value === 'string' && value.trim().startsWith('#');
    return isPart ? [] : (absoluteUrl(value, page) ?? []);
  });
  return [...new Set(found)];
}
