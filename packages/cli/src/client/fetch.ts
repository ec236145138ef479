import {
  type FetchAnswer,
  type FetchEvent,
  type FetchRequest,
  type FetchRow,
  failuresOf,
  pagesOf,
} from '@trawl/client';
import { batchesOf, URLS_PER_REQUEST } from '@trawl/client/terminal/batches';
import {
  type CommandContext,
  listOf,
  runWithKey,
  wholeNumber,
} from '@trawl/client/terminal/command';
import { note, print } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { withScheme } from '@trawl/contract/with-scheme';
import { type BatchJob, type ExecuteFlags, runBatches } from './batches.ts';
import { costOptions } from './cost-options.ts';
import { readItems } from './lines.ts';
import { pageHead, pageText } from './page-text.ts';

type FetchOptions = NonNullable<FetchRequest['options']>;

export interface FetchFlags extends ExecuteFlags {
  readonly tier?: FetchOptions['tier'];
  readonly providers?: string;
  readonly format?: FetchOptions['content_format'];
  readonly maxChars?: string;
  readonly focus?: string;
  readonly maxAge?: string;
  /** false with `--no-cache`. */
  readonly cache?: boolean;
  readonly maxCost?: string;
}

/** `trawl fetch`: pages by URL. */
export const fetchPages = (environment: Environment, args: readonly string[], flags: FetchFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const options = optionsOf(flags);
    const given = await readItems('URL', args, flags.file, signal);
    const urls = given.map((url) => withScheme(url) ?? url);
    const requestOf = (batch: readonly string[], session: string | undefined): FetchRequest => ({
      urls: batch,
      options,
      ...(session === undefined ? {} : { session_id: session }),
    });
    const job: BatchJob<FetchEvent, FetchAnswer> = {
      items: 'pages',
      batches: batchesOf(urls, URLS_PER_REQUEST),
      plan: (...batch) => client.fetchDryRun(requestOf(...batch), { signal }),
      ask: (...batch) => events(context, flags, requestOf(...batch)),
      answerOf: (event) => (event.type === 'done' ? event.answer : undefined),
      indexOf: (event, batch) =>
        event.type === 'page' ? batch.indexOf(event.page.url) : undefined,
      show: (event) => {
        if (event.type === 'page') showPage(context, flags, event.page, urls.length > 1);
      },
      count: (answer) => ({
        all: pagesOf(answer).length,
        failures: failuresOf(answer).filter(({ url }) => url !== undefined),
      }),
    };
    return runBatches(context, flags, job);
  });

async function* events(
  { client, signal }: CommandContext,
  flags: FetchFlags,
  request: FetchRequest,
): AsyncGenerator<FetchEvent> {
  if (flags.json) yield { type: 'done', answer: await client.fetch(request, { signal }) };
  else yield* client.fetchStream(request, { signal });
}

/** Where standard output is not a terminal, it holds only the pages. */
function showPage(
  { out, err }: CommandContext,
  { maxChars }: FetchFlags,
  page: FetchRow,
  isOneOfMany: boolean,
): void {
  const isFailed = page.status === 'failed';
  if (out.isTerminal) print(pageHead(page, out) + pageText(page, out, maxChars !== undefined));
  else {
    const hides = (page.findings ?? []).length > 0;
    if (err.isTerminal || isFailed || hides) note(pageHead(page, err));
    const name = isOneOfMany && !isFailed ? `==> ${page.url} <==\n` : '';
    print(name + pageText(page, out, true));
  }
}

function optionsOf({ format, focus, ...flags }: FetchFlags): FetchOptions {
  const providers = listOf('--providers', flags.providers);
  // lower tiers have no passages
  const tier = flags.tier ?? (focus === undefined ? undefined : 'extended');
  return {
    ...(tier ? { tier } : {}),
    ...(focus === undefined ? {} : { focus: { query: focus } }),
    ...(format ? { content_format: format } : {}),
    ...(providers ? { providers } : {}),
    ...costOptions(flags),
    ...(flags.maxChars === undefined
      ? {}
      : { inline_max_chars: wholeNumber('--max-chars', flags.maxChars) }),
  };
}
