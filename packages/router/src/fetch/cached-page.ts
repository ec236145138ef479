import { CONTENT_FORMATS, FetchRow, freeObject, PAGE_FIELDS, PageFinding } from '@trawl/contract';
import { z } from 'zod';
import type { CachedPage } from './page-cache.ts';

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
