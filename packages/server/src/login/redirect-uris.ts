import { parsedUrl } from '@trawl/contract';

/** A program on the person's machine: its port is another one each time (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^#]*)?$/;
/** Of programs, such as `cursor:`; a browser must not run or show what follows one of these. */
const PROGRAM_SCHEME = /^[a-z][a-z0-9+.-]*:$/;
const BROWSER_SCHEMES: ReadonlySet<string> = new Set([
  ...['about:', 'blob:', 'data:', 'file:', 'filesystem:', 'ftp:', 'http:', 'javascript:'],
  ...['mailto:', 'tel:', 'vbscript:', 'view-source:', 'ws:', 'wss:'],
]);
const CHARACTERS_MAX = 1_000;

/**
 * Whether a client may be sent to an address: https, http on this machine, or the scheme of a
 * program. Never with a user, a fragment or a character that URLs do not have.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > CHARACTERS_MAX || /[^\x21-\x7e]|[#<>"\\]/.test(text)) return false;
  if (LOOPBACK.test(text)) return parsedUrl(text) !== null;
  const url = parsedUrl(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  // a page that shows where a person goes must read it as the browser does
  if (url.protocol === 'https:') return text.startsWith('https://');
  return PROGRAM_SCHEME.test(url.protocol) && !BROWSER_SCHEMES.has(url.protocol);
}

/** Whether an address is one of a client's: letter by letter, but for the port on this machine. */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (!isRedirectUri(asked)) return false;
  const asLoopback = loopback(asked);
  return registered.some(
    (one) => one === asked || (asLoopback !== undefined && loopback(one) === asLoopback),
  );
}

/** Without its port; undefined = it is not on this machine. */
function loopback(text: string): string | undefined {
  const [, host, rest = '/'] = LOOPBACK.exec(text) ?? [];
  return host && `${host} ${rest}`;
}

/** Where a redirect leads, for people: a host, or the scheme of a program. */
export function placeOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol;
}

/** The address with which a person goes back to the client. */
export function redirectTo(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) added.append(name, value);
  }
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`;
}
