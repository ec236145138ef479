import type { FetchRow, RowErrorCode, Tier } from '@trawl/contract';
import { z } from 'zod';
import { fetchRoute } from '../declaration/declaration.ts';
import { OWN_LIMITS, UNSUPPORTED, urlList } from '../declaration/values.ts';
import {
  contentsOf,
  costOf,
  extrasOption,
  highlightsOption,
  requestIdOf,
  summaryOption,
  textOption,
} from './exa-rows.ts';

const input = z
  .object({
    urls: urlList.optional(),
    ids: urlList.optional(),
    text: textOption.optional(),
    highlights: highlightsOption.optional(),
    summary: summaryOption.optional(),
    extras: extrasOption.optional(),
    maxAgeHours: z
      .int()
      .min(0, `a search in Exa's cache only is ${UNSUPPORTED}`)
      .max(720)
      .optional(),
  })
  .refine(({ urls: named, ids }) => (named === undefined) !== (ids === undefined), {
    message: 'exactly one of urls and ids is required',
  });

type Input = z.output<typeof input>;

/** Without any option, Exa returns the text. */
const wantsText = ({ text, highlights, summary, extras }: Input): Input['text'] =>
  text ?? !(highlights || summary || extras);

function tierOf({ highlights, summary, extras }: Input): Tier {
  if (highlights) return 'max';
  return summary || extras ? 'extended' : 'default';
}

export const exaContents = fetchRoute({
  path: '/contents',
  input,
  mapped: {
    urls: '`urls`',
    ids: '`urls`; the ids of results are addresses',
    text: 'the page, cut to `maxCharacters`',
    highlights: '`excerpt` of tier `max`; its query has no effect',
    summary: '`summary` of tier `extended`; its query and schema have no effect',
    extras: '`links` and `images` of tier `extended`',
    maxAgeHours: '`options.max_age_seconds`; 0 is `options.no_cache`',
  },
  ignored: {
    livecrawl: 'deprecated at Exa',
    livecrawlTimeout: OWN_LIMITS,
    filterEmptyResults: 'pages without text are failed pages',
    context: 'deprecated at Exa',
  },
  refused: {
    subpages: UNSUPPORTED,
    subpageTarget: UNSUPPORTED,
    snapshotAsOf: UNSUPPORTED,
  },
  ask: (asked) => ({
    urls: asked.urls ?? asked.ids ?? [],
    tier: tierOf(asked),
    contentFormat: 'markdown',
    maxAgeSeconds: asked.maxAgeHours === undefined ? undefined : asked.maxAgeHours * 3_600,
  }),
  answer: ({ id, rows, costUsd }, asked) => ({
    body: {
      requestId: requestIdOf(id),
      results: rows
        .filter(({ status }) => status === 'succeeded')
        .map((row) => resultOf(row, asked)),
      statuses: rows.map(statusOf),
      ...costOf(costUsd),
    },
  }),
});

function resultOf(row: FetchRow, asked: Input) {
  const { url, title, author, publish_date, thumbnail, favicon, links, images } = row;
  const { extras } = asked;
  return {
    id: url,
    url: row.canonical_url ?? url,
    title,
    author: author ?? null,
    ...(publish_date ? { publishedDate: publish_date } : {}),
    ...(thumbnail ? { image: thumbnail } : {}),
    ...(favicon ? { favicon } : {}),
    ...contentsOf(
      { ...asked, text: wantsText(asked) },
      {
        text: row.content ?? null,
        excerpt: row.excerpt ?? null,
        summary: row.summary ?? null,
      },
    ),
    ...(extras
      ? {
          extras: {
            ...(extras.links ? { links: (links ?? []).slice(0, extras.links) } : {}),
            ...(extras.imageLinks
              ? { imageLinks: (images ?? []).slice(0, extras.imageLinks) }
              : {}),
          },
        }
      : {}),
  };
}

const TAGS: Partial<Record<RowErrorCode, string>> = {
  not_found: 'CRAWL_NOT_FOUND',
  timeout: 'CRAWL_TIMEOUT',
  blocked: 'SOURCE_NOT_AVAILABLE',
  paywall: 'SOURCE_NOT_AVAILABLE',
  payment_required: 'SOURCE_NOT_AVAILABLE',
  unsupported_type: 'UNSUPPORTED_URL',
  declined: 'UNSUPPORTED_URL',
  forbidden_address: 'UNSUPPORTED_URL',
};

const statusOf = ({ url, status, error, cache_state, http_status }: FetchRow) =>
  status === 'succeeded'
    ? {
        id: url,
        status: 'success',
        ...(cache_state ? { source: cache_state === 'hit' ? 'cached' : 'crawled' } : {}),
      }
    : {
        id: url,
        status: 'error',
        error: {
          tag: TAGS[(error?.code ?? 'internal_error') as RowErrorCode] ?? 'CRAWL_UNKNOWN_ERROR',
          httpStatusCode: http_status,
        },
      };
