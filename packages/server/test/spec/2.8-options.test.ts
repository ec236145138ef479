import { describe, expect, test } from 'vitest';
import {
  codesOf,
  DEFAULT_CHAIN,
  fetchPages,
  pageAt,
  saidOf,
  sha256,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();

/** Words of letters with two UTF-16 units and four bytes each. */
const FAR = '\u{10428}\u{10429}\u{1042a}\u{1042b}'.repeat(4);
const farPage = () => `${pageAt('watch')}?v=${encodeURIComponent(FAR)}`;

describe('2.8 max_age_seconds', () => {
  const ageGaps = async (provider: string, options: object) => {
    const { row } = await fetchPages(server(), pageAt(), { providers: [provider], ...options });
    return saidOf(row, 'capability_gap').filter((text) => text.startsWith('max_age_seconds: '));
  };

  test.each(['tavily', 'linkup'])(
    '2.8 max_age_seconds: %s says that it has no such control',
    async (provider) => {
      expect(await ageGaps(provider, { max_age_seconds: 60 })).toEqual([
        `max_age_seconds: ${provider} cannot limit the age of its copies`,
      ]);
      expect(await ageGaps(provider, {})).toEqual([]);
    },
  );

  test('2.8 max_age_seconds: parallel names its minimum below it', async () => {
    expect(await ageGaps('parallel', { max_age_seconds: 599 })).toEqual([
      expect.stringMatching(/accepts no age below 600 s/),
    ]);
    expect(await ageGaps('parallel', { max_age_seconds: 600 })).toEqual([]);
  });

  test.each(['tinyfish', 'firecrawl', 'exa', 'jina', 'you'])(
    '2.8 max_age_seconds: %s honours it',
    async (provider) => {
      expect(await ageGaps(provider, { max_age_seconds: 60 })).toEqual([]);
    },
  );
});

describe('2.8 request', () => {
  test('2.8 request_payload has the URLs as sent and every option with its default', async () => {
    const urls = [`${pageAt('Some-Page')}?utm_source=mail&b=1#part`, pageAt()];
    const { run } = await fetchPages(server(), urls);
    expect(run.request_payload).toEqual({
      urls,
      options: {
        providers: DEFAULT_CHAIN,
        inline_content: true,
        inline_max_chars: 20_000,
        content_format: 'markdown',
        tier: 'default',
        max_age_seconds: null,
        no_cache: false,
      },
    });
  });

  test('2.8 urls: each is returned as it was sent, not in its normalized form', async () => {
    const urls = [
      `${pageAt('caf\u00e9')}?q=\u00fc`,
      pageAt().replace('news', 'b\u00fccher'),
      `${pageAt().replace('https://news', 'HTTPS://News')}?utm_source=x#part`,
      `${pageAt()}/../%7Eada/./x`,
    ];
    const { rows } = await fetchPages(server(), urls);
    expect(rows.map(({ url, status }) => [url, status])).toEqual(
      urls.map((url) => [url, 'succeeded']),
    );
  });

  test('2.8 request_payload has the options as given', async () => {
    const options = {
      providers: ['tavily', 'exa'],
      inline_content: false,
      inline_max_chars: 7,
      content_format: 'text',
      tier: 'max',
      max_age_seconds: 60,
      no_cache: true,
    } as const;
    const { run } = await fetchPages(server(), pageAt(), options);
    expect(run.request_payload.options).toEqual(options);
  });

  test('2.8 null counts as absent for every optional field', async () => {
    const options = {
      providers: null,
      inline_content: null,
      inline_max_chars: null,
      content_format: null,
      tier: null,
      max_age_seconds: null,
      no_cache: null,
    };
    const urls = [pageAt()];
    const bare = await server().fetch({ urls });
    const nulls = await server().fetch({ urls, options, session_id: null, metadata: null });
    const noOptions = await server().fetch({ urls, options: null });
    for (const answer of [nulls, noOptions]) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json.preprocessor_runs[0].request_payload).toEqual(
        bare.json.preprocessor_runs[0].request_payload,
      );
    }
  });

  test('2.8 unknown keys of the body are ignored, a count may be written as 5.0', async () => {
    const rawBody = `{"urls":["${pageAt()}"],"extra":{"a":1},"user_id":7,"options":{"inline_max_chars":5.0}}`;
    const answer = await server().call('POST', '/v1/fetch', { rawBody });
    expect(answer.status, answer.text).toBe(200);
    const [run] = answer.json.preprocessor_runs;
    expect(run.output_payload.fetched_results[0].content).toHaveLength(5);
  });

  test('2.8 a body without a content type is JSON', async () => {
    const body = new Blob([JSON.stringify({ urls: [pageAt()] })]);
    const response = await fetch(`${server().url}/v1/fetch`, {
      method: 'POST',
      body: new Uint8Array(await body.arrayBuffer()),
      headers: { authorization: `Bearer ${server().key}` },
    });
    expect(response.status, await response.text()).toBe(200);
  });

  test('2.8 a provider that is named twice is asked once', async () => {
    const url = pageAt('', '[[tavily:status=503]]');
    const { row } = await fetchPages(server(), url, {
      providers: ['tavily', 'tavily', 'exa'],
      tier: 'max',
    });
    expect(row.provider_chain).toHaveLength(2);
    expect(row.provider).toBe('exa');
  });
});

describe('2.8 inline_content and inline_max_chars', () => {
  test('2.8 inline_max_chars: 20000 characters by default, and the cut is flagged', async () => {
    const { row } = await fetchPages(server(), pageAt('long'));
    expect(row.content_length).toBeGreaterThan(60_000);
    expect(row.content).toHaveLength(20_000);
    expect(row.truncated).toBe(true);
    expect(saidOf(row, 'content_truncated')).toHaveLength(1);
  });

  test('2.8 inline_max_chars: the beginning is kept; length and hash are those of the whole text', async () => {
    const url = pageAt('long');
    const whole = (await fetchPages(server(), url, { inline_max_chars: 1_000_000 })).row;
    expect([whole.truncated, codesOf(whole).includes('content_truncated')]).toEqual([false, false]);
    for (const cap of [1, 777, whole.content_length - 1]) {
      const { row } = await fetchPages(server(), url, { inline_max_chars: cap });
      expect(row.content).toBe(whole.content.slice(0, cap));
      expect(row).toMatchObject({
        truncated: true,
        content_length: whole.content_length,
        content_sha256: sha256(whole.content),
      });
    }
  });

  test('2.8 inline_max_chars: a page of exactly that length is not cut', async () => {
    const url = pageAt('short');
    const { content_length } = (await fetchPages(server(), url)).row;
    const { row } = await fetchPages(server(), url, { inline_max_chars: content_length });
    expect([row.truncated, codesOf(row).includes('content_truncated')]).toEqual([false, false]);
  });

  test('2.8 inline_max_chars: characters are code points, and none is split', async () => {
    const url = farPage();
    const { row: whole } = await fetchPages(server(), url, { inline_max_chars: 1_000_000 });
    expect(whole.content_length).toBe([...whole.content].length);
    expect(whole.content_length).toBeLessThan(whole.content.length);
    const start = [...whole.content].findIndex((character) => character.length === 2);
    for (const cap of [start + 1, start + 2, start + 3]) {
      const { row } = await fetchPages(server(), url, { inline_max_chars: cap });
      expect([...row.content]).toHaveLength(cap);
      expect(row.content).toBe([...whole.content].slice(0, cap).join(''));
      expect(row.content).not.toContain('\ufffd');
      expect(row.content.isWellFormed()).toBe(true);
    }
  });

  test('2.8 inline_content false: everything except the text, with the same measures, and not marked as cut', async () => {
    const url = pageAt('long');
    const { row: whole } = await fetchPages(server(), url, { tier: 'max' });
    const { row } = await fetchPages(server(), url, { tier: 'max', inline_content: false });
    expect(row).not.toHaveProperty('content');
    expect(row).toMatchObject({
      content_length: whole.content_length,
      content_sha256: whole.content_sha256,
      content_format: whole.content_format,
      title: whole.title,
      links: whole.links,
      truncated: false,
    });
    expect(codesOf(row)).not.toContain('content_truncated');
  });

  test('2.8 only `content` is capped', async () => {
    const options = { providers: ['firecrawl'], tier: 'max', inline_max_chars: 10 } as const;
    const { row } = await fetchPages(server(), pageAt(), options);
    expect(row.content).toHaveLength(10);
    expect(row.raw_html.length).toBeGreaterThan(1_000);
  });
});

describe('2.8 content_format', () => {
  const MARKDOWN_ONLY = ['firecrawl', 'linkup', 'parallel', 'tavily', 'tinyfish', 'you'];
  const BOTH = ['markdown', 'text'] as const;

  test.each(BOTH)(
    '2.9 rule 7: asked for %s, exa gives text and jina the format asked for',
    async (format) => {
      const asked = async (name: string) =>
        (await fetchPages(server(), pageAt(), { providers: [name], content_format: format })).row;
      expect((await asked('exa')).content_format).toBe('text');
      const jina = await asked('jina');
      expect(jina.content_format).toBe(format);
      expect(/^## /m.test(jina.content)).toBe(format === 'markdown');
      for (const name of MARKDOWN_ONLY) expect((await asked(name)).content_format).toBe('markdown');
    },
  );

  test.each([
    ...[...MARKDOWN_ONLY, 'brightdata'].map((name) => [name, 'text', true] as const),
    ...[...MARKDOWN_ONLY, 'brightdata'].map((name) => [name, 'markdown', false] as const),
    ['exa', 'markdown', true] as const,
    ['exa', 'text', false] as const,
    ['jina', 'markdown', false] as const,
    ['jina', 'text', false] as const,
  ])(
    '2.9 rule 7: %s asked for %s: a gap that says so: %s',
    async (name, content_format, hasGap) => {
      const url = name === 'brightdata' ? 'https://www.linkedin.com/company/tide-works' : pageAt();
      const { row } = await fetchPages(server(), url, { providers: [name], content_format });
      const gaps = saidOf(row, 'capability_gap').filter((message) =>
        message.startsWith('content_format: '),
      );
      expect(gaps).toHaveLength(hasGap ? 1 : 0);
      expect(row.warning ?? '').not.toContain('content_format');
    },
  );
});
