import { fieldsOfTier, TIERS } from '@trawl/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { searchOf } from './support/providers.ts';

const seltz = searchOf('seltz');

/** The vendor's request by its OpenAPI document, version 1.3.0. Its own client is not on npm. */
const SEARCH_REQUEST = z.strictObject({
  query: z.string().min(1),
  max_results: z.int32().min(0).nullable().optional(),
  include_domains: z.array(z.string()).optional(),
  exclude_domains: z.array(z.string()).optional(),
  from_date: z.string().nullable().optional(),
  to_date: z.string().nullable().optional(),
  scope: z.string().nullable().optional(),
});

test.each(TIERS)('sends what the document of seltz allows at %s', (tier) => {
  const { method, path, body } = seltz.request({
    query: 'node 20 release notes',
    count: 5,
    wanted: { tier, fields: new Set(fieldsOfTier(tier)), fullContent: true, overrides: {} },
  });
  expect([method, path]).toEqual(['POST', '/v1/search']);
  expect(SEARCH_REQUEST.parse(body)).toEqual({ query: 'node 20 release notes', max_results: 5 });
});

test('sends the key as the document of seltz says', () => {
  expect(seltz.authentication).toEqual({ in: 'header', name: 'x-api-key' });
});
