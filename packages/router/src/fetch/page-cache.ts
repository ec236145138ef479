import type { TextMeasure } from '@trawl/base';
import {
  CONTENT_FORMATS,
  FetchRow,
  freeObject,
  PAGE_FIELDS,
  PageFinding,
  TIERS,
  type Tier,
  writeJson,
} from '@trawl/contract';
import type { ParsedPage } from '@trawl/providers';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { AllowedDomains } from '../keys/allowed-domains.ts';
import { type AllowedProviders, isAllowed } from '../keys/allowed-providers.ts';
import type { PageTarget } from './check.ts';
import type { PageOptions } from './command.ts';

export interface CachedPage {
  readonly provider: string;
  readonly page: ParsedPage;
  readonly measure: TextMeasure | null;
  readonly quality: number | null;
  readonly findings: readonly PageFinding[];
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** Where whole pages are kept. Asynchronous, so replicas may share one. */
export interface PageCache {
  get(key: string): Promise<CachedPage | undefined>;
  set(key: string, page: CachedPage): Promise<void>;
}

export interface MemoryPageCacheOptions {
  readonly ttlMs: number;
  /** Default 128 MiB. */
  readonly maxBytes?: number;
  /** A larger page is not kept. Default 8 MiB. */
  readonly maxPageBytes?: number;
  readonly now: () => number;
}

const MIB = 1024 * 1024;

/** In this process; the least recently used pages are dropped first. */
export function createMemoryPageCache({
  ttlMs,
  maxBytes = 128 * MIB,
  maxPageBytes = 8 * MIB,
  now,
}: MemoryPageCacheOptions): PageCache {
  const pages = new LRUCache<string, CachedPage>({
    maxSize: maxBytes,
    maxEntrySize: maxPageBytes,
    ttl: ttlMs,
    perf: { now },
    sizeCalculation: ({ page }) => pageBytes(page),
  });
  return {
    get: async (key) => pages.get(key),
    set: async (key, page) => {
      pages.set(key, page);
    },
  };
}

/** Two bytes a character, and a fixed amount for everything small. */
function pageBytes({
  content,
  raw_html,
  html,
  structured,
  metadata,
  enrichments,
  ...page
}: ParsedPage): number {
  const long = [
    content,
    raw_html,
    html,
    page.transcript,
    page.summary,
    ...page.chunks,
    ...page.links,
  ];
  const characters = long.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const objects = writeJson([structured, metadata, enrichments, page.subpages]).length;
  return 4_096 + 2 * (characters + objects);
}

/** Tiers with the same request to a provider: the two lowest only differ in the fields shown. */
const ASKED_AS: Readonly<Record<Tier, Tier>> = {
  minimalist: 'default',
  default: 'default',
  extended: 'extended',
  max: 'max',
};

/**
 * A key for some hosts shares pages with keys for the same hosts only: other keys' pages may have
 * led elsewhere.
 */
function keyOf(entry: WantedEntry, tier: Tier): string {
  const { projectId, allowedDomains, target, options } = entry;
  const hosts = allowedDomains === null ? [] : [allowedDomains.join(' ')];
  return [projectId, target.comparable, options.contentFormat, tier, ...hosts].join('\n');
}

/** Whether this fetch may read and write the cache. A pinned provider never serves from it. */
export const mayCache = ({ pinned, noCache }: PageOptions): boolean => pinned === null && !noCache;

/** A page with its options, for a key of a project. */
export interface WantedEntry {
  readonly projectId: string;
  /** Only pages of these providers serve. */
  readonly allowedProviders: AllowedProviders;
  /** Only pages that were fetched under the same limit serve. */
  readonly allowedDomains: AllowedDomains;
  readonly target: PageTarget;
  readonly options: PageOptions;
}

/** The youngest page that serves: one fetched at this tier or a higher one. */
export async function readCache(
  cache: PageCache,
  entry: WantedEntry,
  now: number,
): Promise<CachedPage | undefined> {
  const { tier, maxAgeSeconds } = entry.options;
  if (maxAgeSeconds === 0) return undefined;
  const tiers = TIERS.slice(TIERS.indexOf(ASKED_AS[tier]));
  const found = await Promise.all(tiers.map((asked) => cache.get(keyOf(entry, asked))));
  const maxAgeMs = maxAgeSeconds === null ? Number.POSITIVE_INFINITY : maxAgeSeconds * 1000;
  const usable = found.filter(
    (page) =>
      page !== undefined &&
      now - page.storedAt < maxAgeMs &&
      isAllowed(entry.allowedProviders, page.provider),
  );
  return usable.sort((a, b) => (b?.storedAt ?? 0) - (a?.storedAt ?? 0))[0];
}

export function writeCache(cache: PageCache, entry: WantedEntry, page: CachedPage): Promise<void> {
  const asked = ASKED_AS[entry.options.tier];
  // markup that was not asked for and only serves the diagnosis
  const kept =
    asked === 'default' ? { ...page, page: { ...page.page, raw_html: null, html: null } } : page;
  return cache.set(keyOf(entry, asked), kept);
}

const text = z.string().nullable();
const number = z.number().nullable();

/** The page fields of the contract, none of which may be absent, and what a page has besides. */
const pageShape = Object.fromEntries(
  PAGE_FIELDS.map((field) => [field, z.nonoptional(FetchRow.shape[field])]),
);
const Page = z.looseObject({
  ...pageShape,
  content: text,
  content_format: z.enum(CONTENT_FORMATS),
  usage: z.looseObject({ units: freeObject(), costUsd: number }).nullable(),
  remarks: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  gaps: z.array(z.looseObject({ field: z.string(), reason: z.string() })).optional(),
});

const Cached = z.looseObject({
  provider: z.string().regex(/^[a-z0-9-]{1,40}$/),
  page: Page,
  measure: z.looseObject({ length: z.number(), sha256: z.string() }).nullable(),
  quality: z.number().min(0).max(1).nullable(),
  findings: z.array(PageFinding),
  storedAt: z.number(),
});

/**
 * A page of a cache outside of this process, which may hold anything; undefined = not a page of
 * this version.
 */
export function readCachedPage(value: unknown): CachedPage | undefined {
  return Cached.safeParse(value).success ? (value as CachedPage) : undefined;
}
