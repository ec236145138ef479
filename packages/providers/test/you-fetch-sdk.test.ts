import type { Tier } from '@trawl/contract';
import { expect, test } from 'vitest';
import { fetchPlan } from './support/fetch-plan.ts';
import { vendorOf } from './support/providers.ts';

const youFetch = vendorOf('you');

/**
 * What the vendor's own client (@youdotcom-oss/sdk 0.10.21) sent, recorded once: it needs another
 * major version of a library that this project uses itself. It still sends the older `format`, a
 * single word, where the interface now takes `formats`, and leaves time and age to the server.
 */
const RECORDED = {
  method: 'POST',
  path: '/v1/contents',
  headers: {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-api-key': 'test-key',
  },
  body: { urls: ['https://e.com'], format: 'markdown' },
};

test.each<[Tier, readonly string[]]>([
  ['minimalist', ['markdown']],
  ['default', ['markdown']],
  ['extended', ['markdown', 'html', 'metadata']],
  ['max', ['markdown', 'html', 'metadata']],
])('2.9 asks as the official client does at %s, always for a fresh crawl', (tier, formats) => {
  const call = youFetch.request(fetchPlan('https://e.com', tier));
  const { urls, ...rest } = call.body ?? {};
  expect([call.method, call.path, urls]).toEqual([
    RECORDED.method,
    RECORDED.path,
    RECORDED.body.urls,
  ]);
  expect(rest).toEqual({ formats, crawl_timeout: 23, max_age: 0 });
  expect(formats).toContain(RECORDED.body.format);
  const { authentication } = youFetch;
  expect(Object.keys(RECORDED.headers)).toContain(
    authentication.in === 'header' ? authentication.name : '',
  );
});

test.each([
  [400, 1],
  [58_900, 58],
  [400_000, 60],
])('a limit of %d ms allows a crawl of %d s', (timeLimitMs, expected) => {
  const { body } = youFetch.request(fetchPlan('https://e.com', 'default', { timeLimitMs }));
  expect(body?.crawl_timeout).toBe(expected);
});
