import { FETCH_PROVIDERS } from '@trawl/providers';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { PageReader } from '../fetch/attempt.ts';
import { createDownloader } from './download.ts';
import { createExtractor } from './extractor.ts';
import { createDirectReader } from './reader.ts';

/** Its slug; the facts stand in its declaration. */
export const OWN_READER = 'direct';

export interface DirectOptions {
  readonly version: string;
  readonly clock: Clock;
  /** Where the extraction worker's script stands. */
  readonly workerUrl: URL;
}

/** Opens the service's own reader as configured; nothing is started before the first page. */
export function openDirectReader(
  config: Pick<Config, 'fetchAllowPrivateHosts' | 'directProxy'>,
  { version, clock, workerUrl }: DirectOptions,
): { readonly reader: PageReader; readonly close: () => Promise<void> } {
  const downloader = createDownloader({
    allowed: config.fetchAllowPrivateHosts,
    proxyUrl: config.directProxy,
    userAgent: `trawl/${version}`,
  });
  const concurrency = FETCH_PROVIDERS.find(({ slug }) => slug === OWN_READER)?.concurrency ?? 1;
  const extractor = createExtractor({ workerUrl });
  return {
    reader: createDirectReader({ slug: OWN_READER, downloader, extractor, clock, concurrency }),
    close: async () => {
      await Promise.all([downloader.close(), extractor.close()]);
    },
  };
}
