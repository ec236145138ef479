import { type FetchRequest, type FetchRow, pagesOf } from '@trawl/client';
import { batchesOf, URLS_PER_REQUEST } from '@trawl/client/terminal/batches';
import type { CommandContext } from '@trawl/client/terminal/command';
import { sumOf } from '@trawl/client/terminal/output';
import type { SetQuery } from '../measure/query-set.ts';
import { sha256Of } from '../measure/query-set.ts';
import type { GoldRow } from '../measure/run-rows.ts';
import { inTurn, patiently } from './calls.ts';
import type { RunStore } from './run-store.ts';

/** What a model is shown of a page. */
const CHARACTERS = 8_000;
const OPTIONS = { inline_max_chars: CHARACTERS } as const;

/** The gold pages of a run that were not looked at yet. */
export const missingGold = (
  queries: readonly SetQuery[],
  index: RunStore['index'] | undefined,
): readonly string[] => [
  ...new Set(
    queries.flatMap(({ goldUrls }) => goldUrls).filter((url) => !index?.has(`gold ${url}`)),
  ),
];

export async function goldPrice(
  { client, signal }: CommandContext,
  urls: readonly string[],
): Promise<number | null> {
  const prices: (number | null)[] = [];
  for (const batch of batchesOf(urls, URLS_PER_REQUEST)) {
    const plan = await patiently(signal, () =>
      client.fetchDryRun({ urls: [...batch], options: OPTIONS }, { signal }),
    );
    prices.push(plan.total_usd);
  }
  return sumOf(prices);
}

/** Reads each page once; one that cannot be read is a row too. */
export async function readGold(
  { client, signal }: CommandContext,
  urls: readonly string[],
  { store, onRow }: { readonly store: RunStore; readonly onRow: () => void },
): Promise<void> {
  const { run_id, session_id } = store.head;
  await inTurn(urls, signal, async (url) => {
    const request: FetchRequest = { session_id, urls: [url], options: OPTIONS };
    const answer = await patiently(signal, () =>
      client.fetch(request, {
        signal,
        throwOnFailure: false,
        idempotencyKey: `evaluate-${run_id}-${sha256Of(`gold ${url}`).slice(0, 40)}`,
      }),
    );
    store.add(goldRow(url, pagesOf(answer)[0]));
    onRow();
  });
}

/** The page or its host does not exist. */
const GONE: readonly unknown[] = ['not_found', 'gone', 'dns_error'];

function goldRow(url: string, page: FetchRow | undefined): GoldRow {
  const row = { kind: 'gold', url, at: new Date().toISOString() } as const;
  if (page?.status === 'succeeded') {
    return { ...row, status: 'read', reason: null, text: page.content ?? null };
  }
  const { code = 'unknown', message = 'no answer' } = page?.error ?? {};
  const status = GONE.includes(code) ? 'gone' : 'unread';
  return { ...row, status, reason: `${code}: ${message}`, text: null };
}
