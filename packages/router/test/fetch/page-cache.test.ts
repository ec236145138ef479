import type { Tier } from '@trawl/contract';
import type { ParsedPage } from '@trawl/providers';
import { describe, expect, it } from 'vitest';
import type { PageOptions } from '../../src/fetch/command.ts';
import {
  type CachedPage,
  createMemoryPageCache,
  mayCache,
  readCache,
  type WantedEntry,
  writeCache,
} from '../../src/fetch/page-cache.ts';
import { ALL_PROVIDERS } from '../../src/keys/allowed-providers.ts';

const NOW = 1_000_000;

function setUp(options: { ttlMs?: number; maxBytes?: number; maxPageBytes?: number } = {}) {
  const time = { now: NOW };
  const cache = createMemoryPageCache({ ttlMs: 60_000, now: () => time.now, ...options });
  return {
    time,
    write: (entry: WantedEntry, given: Partial<CachedPage> = {}) =>
      writeCache(cache, entry, cachedPage(given)),
    read: async (entry: WantedEntry) => (await readCache(cache, entry, time.now))?.provider,
    page: (entry: WantedEntry) => readCache(cache, entry, time.now),
  };
}

const cachedPage = ({
  provider = 'jina',
  storedAt = NOW,
  page,
}: Partial<CachedPage>): CachedPage => ({
  provider,
  storedAt,
  measure: null,
  quality: null,
  findings: [],
  page: {
    content: 'text',
    raw_html: '<raw>',
    html: '<html>',
    transcript: null,
    summary: null,
    chunks: [],
    links: [],
    ...page,
  } as unknown as ParsedPage,
});

interface Given {
  readonly tier?: Tier;
  readonly projectId?: string;
  readonly url?: string;
  readonly format?: string;
  readonly maxAgeSeconds?: number | null;
  readonly domains?: readonly string[] | null;
  readonly only?: readonly string[] | null;
}

function wanted({
  tier = 'default',
  projectId = 'project',
  url = 'https://example.com/',
  format = 'markdown',
  maxAgeSeconds = null,
  domains = null,
  only = null,
}: Given = {}): WantedEntry {
  return {
    projectId,
    allowedProviders: { ...ALL_PROVIDERS, only },
    allowedDomains: domains,
    target: { url, parsed: new URL(url), comparable: url },
    options: { tier, contentFormat: format, maxAgeSeconds } as unknown as PageOptions,
  };
}

describe('a page that was kept', () => {
  it.each<[Tier, readonly Tier[]]>([
    ['minimalist', ['minimalist', 'default']],
    ['default', ['minimalist', 'default']],
    ['extended', ['minimalist', 'default', 'extended']],
    ['max', ['minimalist', 'default', 'extended', 'max']],
  ])('at tier %s serves %j', async (tier, served) => {
    const { write, read } = setUp();
    await write(wanted({ tier }));
    const found: Tier[] = [];
    for (const asked of ['minimalist', 'default', 'extended', 'max'] as const) {
      if (await read(wanted({ tier: asked }))) found.push(asked);
    }
    expect(found).toEqual(served);
  });

  it('serves the same project, page, format and limit of hosts only', async () => {
    const { write, read } = setUp();
    const own = { domains: ['a.example', 'b.example'] };
    await write(wanted(own));
    expect(await read(wanted(own))).toBe('jina');
    for (const other of [
      { ...own, projectId: 'other' },
      { ...own, url: 'https://example.com/other' },
      { ...own, format: 'text' },
      { domains: null },
      { domains: ['a.example'] },
      { domains: ['a.example', 'c.example'] },
    ]) {
      expect(await read(wanted(other))).toBeUndefined();
    }
  });

  it('serves while it is younger than the caller asks', async () => {
    const { write, read, time } = setUp();
    await write(wanted());
    time.now = NOW + 10_000;
    const serves = async (maxAgeSeconds: number | null) =>
      (await read(wanted({ maxAgeSeconds }))) !== undefined;
    expect([await serves(null), await serves(11), await serves(10), await serves(0)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('serves a key that may use its provider only', async () => {
    const { write, read } = setUp();
    await write(wanted({ tier: 'max' }), { storedAt: NOW + 1 });
    await write(wanted(), { provider: 'direct' });
    expect(await read(wanted({ only: ['direct', 'exa'] }))).toBe('direct');
    expect(await read(wanted({ only: ['exa'] }))).toBeUndefined();
  });

  it('is the youngest of three that serve', async () => {
    const { write, read, time } = setUp();
    time.now = NOW + 10_000;
    await write(wanted({ tier: 'max' }), { provider: 'old', storedAt: NOW });
    await write(wanted({ tier: 'extended' }), { provider: 'young', storedAt: NOW + 5_000 });
    await write(wanted({ tier: 'default' }), { provider: 'middle', storedAt: NOW + 2_000 });
    expect(await read(wanted())).toBe('young');
    expect(await read(wanted({ tier: 'max' }))).toBe('old');
  });

  it('has no markup that was not asked for', async () => {
    const { write, page } = setUp();
    await write(wanted());
    expect((await page(wanted()))?.page).toMatchObject({
      content: 'text',
      raw_html: null,
      html: null,
    });
    await write(wanted({ tier: 'extended' }), { storedAt: NOW + 1 });
    expect((await page(wanted()))?.page).toMatchObject({ raw_html: '<raw>', html: '<html>' });
  });

  it('is not larger than one may be, and leaves when others need its room', async () => {
    const text = (characters: number) => ({
      page: { content: 'x'.repeat(characters) } as ParsedPage,
    });
    const large = setUp({ maxPageBytes: 10_000 });
    await large.write(wanted(), text(3_500));
    expect(await large.read(wanted())).toBeUndefined();
    await large.write(wanted(), text(2_000));
    expect(await large.read(wanted())).toBe('jina');
    const { write, read } = setUp({ maxBytes: 20_000 });
    const at = (name: string) => wanted({ url: `https://example.com/${name}` });
    for (const name of ['a', 'b']) await write(at(name), text(2_000));
    await read(at('a'));
    await write(at('c'), text(2_000));
    expect(await Promise.all(['a', 'b', 'c'].map((name) => read(at(name))))).toEqual([
      'jina',
      undefined,
      'jina',
    ]);
  });
});

it('a fetch of a named provider, or one without a cache, does not use it', () => {
  const may = (pinned: readonly string[] | null, noCache: boolean) =>
    mayCache({ pinned, noCache } as unknown as PageOptions);
  expect([may(null, false), may(['jina'], false), may(null, true)]).toEqual([true, false, false]);
});
