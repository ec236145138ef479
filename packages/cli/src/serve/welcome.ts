import { commandHere } from '@trawl/client/terminal/manifest';
import { aligned } from '@trawl/client/terminal/output';
import type { Painter } from '@trawl/client/terminal/style';
import { createDeployment, isCandidate } from '@trawl/router';
import type { Config } from '@trawl/server';
import { databaseName } from '../program/database-name.ts';

interface Started {
  readonly version: string;
  readonly url: string;
  readonly config: Config;
  /** For the first account of the console; null when one exists. */
  readonly setupCode: string | null;
  readonly bold: Painter;
}

/**
 * Shown when a server is up: its address, the documentation, how to make a key, and the configured
 * providers.
 */
export function welcomeText({ version, url, config, setupCode, bold }: Started): string {
  const { searchProviders, fetchProviders, fetchChain, defaultSet } = createDeployment(config);
  const searching = [...searchProviders.values()].filter(isCandidate);
  const isKeyless = !searching.some(({ isConfigured }) => isConfigured);
  const slugs = searching.map(({ declaration }) => declaration.slug);
  const defaults = defaultSet.filter((slug) => slugs.includes(slug));
  const fetching = fetchChain.filter((slug) => {
    const provider = fetchProviders.get(slug);
    return provider !== undefined && isCandidate(provider);
  });
  const search =
    slugs.length === 0
      ? `no provider is configured: "${commandHere()} doctor" says what to set`
      : `${isKeyless ? 'outside services without a key: ' : ''}${slugs.join(', ')}; by default ${defaults.join(', ') || 'none of them'}`;
  const lines: readonly (readonly [string, string])[] = [
    ['docs', `${url}/docs`],
    ['API', `${url}/docs/reference`],
    ...(config.console === 'on' ? consoleLines(url, setupCode) : []),
    ['database', databaseName(config)],
    ['search', search],
    ['fetch', fetching.join(', ')],
    ['a key', `${commandHere()} keys create --name laptop`],
  ];
  const rows = aligned(lines.map(([name, text]) => [`  ${name}`, text])).map((row) => `${row}\n`);
  return `\n${bold(`trawl ${version} is listening on ${url}`)}\n${rows.join('')}\n`;
}

/** The code is shown on a terminal only, because logs are kept. */
const consoleLines = (
  url: string,
  setupCode: string | null,
): readonly (readonly [string, string])[] => [
  ['console', `${url}/console`],
  ...(setupCode === null ? [] : [['code', `${setupCode}, for the first account`] as const]),
];
