import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { CHAIN_OUTCOMES, CONTENT_FORMATS, TIERS } from '../vocabulary.ts';
import { freeObject, listOf, optional, uuid } from './json.ts';
import { Usage, Warning } from './shared.ts';

export const FetchOptions = z
  .strictObject({
    providers: optional(listOf(z.string(), 1)).describe(
      'Pins the chain to these; a pinned provider never serves from the cache.',
    ),
    inline_content: optional(z.boolean()).describe(
      'false leaves the page text out; true when absent.',
    ),
    inline_max_chars: optional(z.int().min(1)).describe(
      `Cap per page; ${LIMITS.inlineCharactersDefault} when absent.`,
    ),
    content_format: optional(z.enum(CONTENT_FORMATS)).describe('`markdown` when absent.'),
    tier: optional(z.enum(TIERS)).describe('`default` when absent.'),
    max_age_seconds: optional(z.int().min(0)).describe(
      'Only a cached page younger than this is served.',
    ),
    no_cache: optional(z.boolean()).describe('true: the page cache is neither read nor written.'),
  })
  .meta({ id: 'FetchOptions' });

export const FetchRequest = z
  .object({
    session_id: optional(uuid),
    urls: listOf(z.string(), 1),
    options: optional(FetchOptions),
    metadata: optional(freeObject()),
  })
  .meta({ id: 'FetchRequest' });
export type FetchRequest = z.output<typeof FetchRequest>;

const text = z.string().nullable();
const count = z.int().nullable();

/** One page. Beside the fields that are always there it holds those of the tier. */
export const FetchRow = z
  .object({
    url: z.string(),
    status: z.enum(['succeeded', 'failed']),
    error: freeObject().nullable(),
    title: text,
    content: text.optional(),
    content_format: z.enum(CONTENT_FORMATS).nullable(),
    content_length: count,
    http_status: count,
    provider: text,
    latency_ms: count,
    warnings: z.array(Warning),
    truncated: z.boolean(),
    warning: text,
    canonical_url: text,
    cache_state: z.enum(['hit', 'miss']).nullable(),
    request_id: text,
    js_rendered: z.boolean().nullish(),
    pdf_mode: z.literal('parsed').nullish(),
    content_sha256: text.optional(),
    description: text.optional(),
    raw_html: text.optional(),
    html: text.optional(),
    chunks: z.array(z.string()).optional(),
    screenshot: text.optional(),
    page_count: count.optional(),
    content_type: text.optional(),
    summary: text.optional(),
    language: text.optional(),
    author: text.optional(),
    publish_date: text.optional(),
    favicon: text.optional(),
    thumbnail: text.optional(),
    links: z.array(z.string()).optional(),
    images: z.array(z.string()).optional(),
    metadata: freeObject().nullish(),
    provider_chain: z
      .array(
        z.object({
          provider: z.string(),
          outcome: z.enum(CHAIN_OUTCOMES),
          code: text,
          latency_ms: count,
        }),
      )
      .optional(),
    usage: Usage.nullish(),
    media: z.array(z.string()).optional(),
    transcript: text.optional(),
    excerpt: text.optional(),
    structured: freeObject().nullish(),
    subpages: z.array(z.object({ url: z.string(), title: text, content: text })).optional(),
    enrichments: freeObject().optional(),
  })
  .meta({ id: 'FetchRow' });
export type FetchRow = z.output<typeof FetchRow>;

export const FetchOutput = z
  .object({
    fetched_results: z.array(FetchRow),
    succeeded_count: z.int(),
    failed_count: z.int(),
    warnings: z.array(Warning),
  })
  .meta({ id: 'FetchOutput' });
export type FetchOutput = z.output<typeof FetchOutput>;
