/** Only for reading paths: nothing is sent there. */
const ORIGIN = 'http://console.invalid';

/**
 * Where to go after signing in: the address of `?redirect=` below `/console`, without that prefix.
 * Any other address, also one of another site, is `/`.
 */
export function safeRedirect(written: string | undefined): string {
  if (written === undefined || !written.startsWith('/')) return '/';
  let url: URL;
  try {
    url = new URL(written, ORIGIN);
  } catch {
    return '/';
  }
  const isOurs = url.origin === ORIGIN && /^\/console(\/|$)/.test(url.pathname);
  if (!isOurs || url.pathname.startsWith('/console/sign-in')) return '/';
  return `${url.pathname.slice('/console'.length) || '/'}${url.search}${url.hash}`;
}
