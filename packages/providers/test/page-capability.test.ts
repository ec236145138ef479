import { PAGE_FIELDS, type PageField, type Tier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  type FetchPlan,
  pageCapabilities,
  pageFieldsOfTier,
  pageGapsOf,
  unsupportedPageFields,
} from '../src/index.ts';

const NAMED: readonly PageField[] = ['http_status', 'cache_state', 'pdf_mode', 'links', 'summary'];
const capabilities = pageCapabilities({
  supplied: PAGE_FIELDS.filter((field) => !NAMED.includes(field)),
  onFailure: ['http_status'],
  onCondition: {
    links: { when: ({ tier }) => tier === 'max', reason: 'is returned only at tier max' },
    summary: { when: ({ noCache }) => noCache, reason: 'is written only for a fresh copy' },
    pdf_mode: { when: () => false, reason: 'is not known' },
  },
});

const plan = (tier: Tier, more: Partial<FetchPlan> = {}): FetchPlan => ({
  url: 'https://harbour.example.org/',
  tier,
  fields: pageFieldsOfTier(tier),
  contentFormat: 'markdown',
  maxAgeSeconds: null,
  noCache: false,
  timeLimitMs: 20_000,
  ...more,
});

describe('gaps of a delivered page', () => {
  test('are the fields of the plan that are never supplied, or only with failures, in table order', () => {
    expect(pageGapsOf(capabilities, plan('minimalist'))).toEqual([
      { field: 'http_status', reason: null },
      { field: 'cache_state', reason: null },
    ]);
  });

  test('give the reason of a field whose condition does not hold', () => {
    expect(pageGapsOf(capabilities, plan('extended')).slice(2)).toEqual([
      { field: 'pdf_mode', reason: 'is not known' },
      { field: 'summary', reason: 'is written only for a fresh copy' },
      { field: 'links', reason: 'is returned only at tier max' },
    ]);
  });

  test('close where the condition holds', () => {
    const fields = pageGapsOf(capabilities, plan('max', { noCache: true })).map(
      ({ field }) => field,
    );
    expect(fields).toEqual(['http_status', 'cache_state', 'pdf_mode']);
  });
});

test('unsupported are the fields that no tier or option supplies; fields that come with failures are supplied', () => {
  expect(unsupportedPageFields(capabilities)).toEqual(['cache_state', 'pdf_mode']);
});

test('the page fields of max are all of them, those of minimalist the first five', () => {
  expect([...pageFieldsOfTier('max')]).toEqual([...PAGE_FIELDS]);
  expect([...pageFieldsOfTier('minimalist')]).toEqual(PAGE_FIELDS.slice(0, 5));
});
