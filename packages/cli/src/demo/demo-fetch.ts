import type { Painter } from '@trawl/client/terminal/style';
import type { FetchRow } from '@trawl/contract';
import { table } from '../program/table.ts';

/** Sends a fetch and returns its rows. */
type Fetch = (body: object) => Promise<readonly FetchRow[]>;

/**
 * Fetches a few pages through the chain and through the service's own reader: one that works, one
 * whose first provider is down, one that does not exist, and an article and a PDF that only our own
 * reader fetches.
 */
export async function fetchText(
  fetch: Fetch,
  found: string,
  site: string,
  bold: Painter,
): Promise<string> {
  const options = { tier: 'extended', inline_max_chars: 400 };
  const chained = await fetch({
    urls: [
      found,
      `https://news.example.com/second-choice?sandbox=${encodeURIComponent('[[tinyfish:status=503]]')}`,
      'https://news.example.com/missing',
    ],
    options,
  });
  const own = await fetch({
    urls: [`${site}/article`, `${site}/pdf`],
    options: { ...options, providers: ['direct'] },
  });
  const rows = [...chained, ...own];
  const [first] = rows;
  return [
    '',
    bold('The same for pages: POST /v1/fetch'),
    table(
      [
        ['url', 0.5],
        ['provider', 12],
        ['characters', 12],
        ['what happened', 0.5],
      ],
      rows.map((row) => [
        row.url,
        row.provider ?? '',
        row.content_length === null ? '' : String(row.content_length),
        outcomeText(row),
      ]),
    ),
    '',
    `  ${bold(first?.title ?? found)}, as markdown:`,
    ...(first?.content ?? '').split('\n').map((line) => `  | ${line}`),
    '',
  ].join('\n');
}

/** What each provider of the chain answered. */
function outcomeText({ status, error, provider_chain: chain = [] }: FetchRow): string {
  const steps = chain.map(({ provider, outcome, code, latency_ms: latencyMs }) =>
    outcome === 'answered' ? `${provider} ${latencyMs} ms` : `${provider} ${code}`,
  );
  const end = status === 'failed' ? [`failed: ${String(error?.code)}`] : [];
  return [...end, ...steps].join(', ');
}
