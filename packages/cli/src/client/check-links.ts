import type { FetchRow } from '@trawl/client';
import { isFetchOutput, pagesOf } from '@trawl/client/answers';
import { batchesOf, URLS_PER_REQUEST } from '@trawl/client/terminal/batches';
import type { CommandContext, CommonFlags } from '@trawl/client/terminal/command';
import { costText, counted, note, sumOf } from '@trawl/client/terminal/output';
import { confirm } from '@trawl/client/terminal/terminal';

/** A cited page as it is today. */
export interface LinkCheck {
  readonly url: string;
  /**
   * `same` and `changed` compare the hash of its text with the last one that was recorded;
   * `reachable`: no text that can be compared. `dead`: the page or its host does not exist.
   * `unknown`: it could not be read, which says nothing about the page.
   */
  readonly status: 'same' | 'changed' | 'dead' | 'reachable' | 'unknown';
  readonly reason: string | null;
}

/** No cache: the pages of today are wanted. No text: the hash is enough. */
const OPTIONS = { no_cache: true, inline_content: false } as const;

type Known = Pick<FetchRow, 'content_sha256' | 'provider'>;

/** Fetches cited pages, in a session of their own, after the price was shown and accepted. */
export async function checkLinks(
  context: CommandContext,
  session: string,
  urls: readonly string[],
  flags: CommonFlags & { readonly yes?: boolean },
): Promise<readonly LinkCheck[]> {
  if (urls.length === 0) return [];
  const { client, signal } = context;
  const batches = batchesOf(urls, URLS_PER_REQUEST);
  const prices: (number | null)[] = [];
  for (const batch of batches) {
    const plan = await client.fetchDryRun({ urls: batch, options: OPTIONS }, { signal });
    prices.push(plan.total_usd);
  }
  note(`${counted(urls.length, 'link')} to fetch, for about ${costText(sumOf(prices))}\n`);
  if (!flags.yes) await confirm('Fetch them?', 'not fetched', 'fetches them');
  const known = await recordedPages(context, session);
  const checks: LinkCheck[] = [];
  for (const batch of batches) {
    const answer = await client.fetch(
      { urls: batch, options: OPTIONS },
      { signal, throwOnFailure: false },
    );
    for (const page of pagesOf(answer)) checks.push(checkOf(page, known.get(page.url)));
  }
  return checks;
}

/** The last page that the session recorded for each URL. */
async function recordedPages(
  { client, signal }: CommandContext,
  session: string,
): Promise<ReadonlyMap<string, Known>> {
  const known = new Map<string, Known>();
  for await (const { preprocessor_runs: runs = [] } of client.history(
    session,
    { type: 'full' },
    { signal },
  )) {
    for (const { output_payload: output } of runs) {
      if (!isFetchOutput(output)) continue;
      for (const { url, content_sha256, provider, status } of output.fetched_results) {
        if (status === 'succeeded') known.set(url, { content_sha256, provider });
      }
    }
  }
  return known;
}

function checkOf({ url, status, error, ...page }: FetchRow, known: Known | undefined): LinkCheck {
  if (status === 'failed') {
    const isDead = error?.code === 'not_found' || error?.code === 'dns_error';
    const reason = error ? `${error.code}: ${error.message}` : null;
    return { url, status: isDead ? 'dead' : 'unknown', reason };
  }
  if (!known?.content_sha256 || !page.content_sha256) {
    return { url, status: 'reachable', reason: 'the session has no fetch of it' };
  }
  if (known.provider !== page.provider) {
    const reason = `not compared: read by ${page.provider}, recorded by ${known.provider}`;
    return { url, status: 'reachable', reason };
  }
  const isSame = known.content_sha256 === page.content_sha256;
  return { url, status: isSame ? 'same' : 'changed', reason: null };
}
