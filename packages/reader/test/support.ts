import { onTestFinished } from 'vitest';
import { type AllowedHosts, parseAllowedHosts } from '../src/download/allowed-hosts.ts';
import { createDownloader, type DownloaderOptions } from '../src/download/download.ts';
import type { DownloadResult } from '../src/pages/types.ts';

export const USER_AGENT = 'trawl/0 (+https://trawl.invalid/about)';

/** Far more than any of these tests takes. */
export const AMPLE_MS = 15_000;

export function allow(text: string): AllowedHosts {
  const parsed = parseAllowedHosts(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.value;
}

/** A downloader for one test. `allowed` is the text of the setting. */
export function downloaderFor({
  allowed = '',
  ...options
}: Partial<Omit<DownloaderOptions, 'allowed'>> & { readonly allowed?: string } = {}) {
  const downloader = createDownloader({
    userAgent: USER_AGENT,
    allowed: allow(allowed),
    ...options,
  });
  onTestFinished(() => downloader.close());
  return {
    ...downloader,
    get: (url: string, timeoutMs = AMPLE_MS, signal = new AbortController().signal) =>
      downloader.download(url, { signal, timeoutMs }),
  };
}

/** A resolver over a table; every look-up is counted. */
export function namesOf(table: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const resolve = async (hostname: string): Promise<readonly string[]> => {
    asked.push(hostname);
    const addresses = table[hostname];
    if (addresses === undefined) {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    }
    return addresses;
  };
  return { asked, resolve };
}

export const textOf = (result: DownloadResult): string =>
  result.kind === 'downloaded' ? Buffer.from(result.download.body).toString() : `<${result.kind}>`;

/** The verdict in two words, or the other outcome. */
export const verdictOf = (result: DownloadResult): string =>
  result.kind === 'verdict' ? `${result.verdict.code} ${result.verdict.reason}` : result.kind;

export const verdictWith = (code: string, reason: string, httpStatus: number | null) => ({
  kind: 'verdict',
  verdict: { code, reason, httpStatus },
});

/** A downloader for servers of this machine. */
export const localDownloader = (options: Parameters<typeof downloaderFor>[0] = {}) =>
  downloaderFor({ allowed: '127.0.0.1', ...options });

/** The start of an answer, for servers that write their answers themselves. */
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
