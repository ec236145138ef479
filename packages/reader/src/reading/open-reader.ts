import type { Clock, ReportFault } from '@trawl/base';
import { FETCH_PROVIDERS } from '@trawl/providers';
import { browserProblem } from '../browser/browser-process.ts';
import { createRenderer } from '../browser/renderer.ts';
import type { PageRule } from '../diagnosis/page-rules.ts';
import type { AllowedHosts } from '../download/allowed-hosts.ts';
import { createDownloader, type DownloaderOptions } from '../download/download.ts';
import type {
  PageCheck,
  PageReader,
  PassageFinder,
  PieceFinder,
  QuoteFinder,
} from '../pages/page-reading.ts';
import type { ObservedJob, ReadingLoad } from '../pages/types.ts';
import { createRobots, ROBOTS_MAX_BYTES } from '../robots/robots.ts';
import { createExtractor } from '../threads/extractor.ts';
import { createPageCheck } from './page-check.ts';
import { createDirectReader } from './reader.ts';

/** The slug of our own reader; its facts are in its declaration. */
export const OWN_READER = 'direct';

export interface DirectOptions {
  readonly version: string;
  readonly clock: Clock;
  /** URL of the extraction worker's script. */
  readonly workerUrl: URL;
  /** Called with faults of the browser; callers see them in the row. */
  readonly reportFault?: ReportFault | undefined;
  /** Gets each page that was read, for metrics. */
  readonly onJob?: ((job: ObservedJob) => void) | undefined;
}

/** Settings of the reader, as the operator gave them. */
export interface DirectConfig {
  readonly fetchAllowPrivateHosts: AllowedHosts;
  readonly directProxy: string | undefined;
  readonly directRobots: 'on' | 'off';
  /** Path of Chromium; undefined = pages are not rendered. */
  readonly directBrowser: string | undefined;
  readonly directBrowserSandbox: 'on' | 'off';
  readonly pageReadTimeoutMs: number;
  readonly pageReadThreads: number;
  /** Rules of the operator. */
  readonly pageRules: readonly PageRule[];
}

/** Opens our own reader as configured. Nothing is started before the first page. */
export function openDirectReader(
  config: DirectConfig,
  { version, clock, workerUrl, reportFault, onJob }: DirectOptions,
): {
  readonly reader: PageReader;
  /** These use the same threads as the reader. */
  readonly pageCheck: PageCheck;
  readonly passageFinder: PassageFinder;
  readonly pieceFinder: PieceFinder;
  readonly quoteFinder: QuoteFinder;
  readonly load: () => ReadingLoad;
  readonly close: () => Promise<void>;
} {
  const network = {
    allowed: config.fetchAllowPrivateHosts,
    proxyUrl: config.directProxy,
    userAgent: `trawl/${version}`,
  };
  const robots = config.directRobots === 'on' ? openRobots(network, clock.now) : undefined;
  const downloader = createDownloader({ ...network, refusal: robots?.refusal });
  const concurrency = FETCH_PROVIDERS.find(({ slug }) => slug === OWN_READER)?.concurrency ?? 1;
  const extractor = createExtractor({
    workerUrl,
    threads: config.pageReadThreads,
    pageTimeoutMs: config.pageReadTimeoutMs,
    pageRules: config.pageRules,
    onJob,
  });
  const renderer =
    config.directBrowser === undefined
      ? undefined
      : createRenderer({
          ...network,
          path: config.directBrowser,
          hasSandbox: config.directBrowserSandbox === 'on',
          clock,
          reportFault,
          refusal: robots?.refusal,
        });
  return {
    reader: createDirectReader({
      slug: OWN_READER,
      downloader,
      extractor,
      renderer,
      clock,
      concurrency,
    }),
    pageCheck: createPageCheck(extractor),
    passageFinder: { find: extractor.focus },
    pieceFinder: { find: extractor.pieces },
    quoteFinder: { find: extractor.quotes },
    load: extractor.load,
    close: async () => {
      await Promise.all([
        downloader.close(),
        robots?.close(),
        extractor.close(),
        renderer?.close(),
      ]);
    },
  };
}

/** A problem with the configured browser, for the operator; null = no problem. */
export async function directBrowserProblem({
  directBrowser,
  directBrowserSandbox,
}: DirectConfig): Promise<string | null> {
  if (directBrowser === undefined) return null;
  const problem = await browserProblem(directBrowser, directBrowserSandbox === 'on');
  return (
    problem && `DIRECT_BROWSER cannot be used: ${problem}; pages that only scripts fill stay unread`
  );
}

/**
 * Judges pages by the robots.txt of their sites. The file is downloaded under the same guard as a
 * page.
 */
function openRobots(network: DownloaderOptions, now: () => number) {
  const downloader = createDownloader({
    ...network,
    accept: 'text/plain, */*;q=0.1',
    maxBytes: ROBOTS_MAX_BYTES,
    isCut: true,
  });
  const refusal = createRobots({ downloader, userAgent: network.userAgent, now });
  return { refusal, close: downloader.close };
}
