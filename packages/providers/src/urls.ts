/** Query parameters that only say where a visitor came from. Compared in lower case. */
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
  const name = (parameter.split('=', 1)[0] ?? '').toLowerCase();
  return TRACKING.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function parseHttp(value: string, base?: string): URL | null {
  const url = URL.canParse(value, base) ? new URL(value, base) : null;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null;
}

/**
 * The form in which result URLs are comparable across providers: scheme and host in lower case, host in ASCII, no
 * default port, fragment or tracking parameter, dot segments resolved; the rest of the query in its order and
 * spelling, `www.` and trailing slashes as they are. null when it is not an absolute http(s) URL.
 */
export function normalizeUrl(value: string): string | null {
  const url = parseHttp(value.trim());
  if (!url) return null;
  url.hash = '';
  if (url.search === '') return url.href.replace(/\?$/, '');
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => !isTracking(parameter));
  url.search = kept.join('&');
  return url.href;
}

/** An http(s) URL as absolute, resolved against the page it stands on; null for anything else. */
export function absoluteUrl(value: unknown, base: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const page = typeof base === 'string' && URL.canParse(base) ? base : undefined;
  return parseHttp(value.trim(), page)?.href ?? null;
}

/** The host of a URL that `normalizeUrl` accepted. */
export function domainOf(url: string): string {
  return new URL(url).hostname;
}
