import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOPIC_RANKING } from '@trawl/providers';
import { readConfig } from '@trawl/server';
import { type EmbeddingsStub, startEmbeddingsStub } from '@trawl/test-support/embeddings-stub';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainRouting } from '../src/server/explain-routing.ts';

describe('the explanation of a route', () => {
  let stub: EmbeddingsStub;
  let folder: string;
  beforeAll(async () => {
    stub = await startEmbeddingsStub();
    folder = await mkdtemp(join(tmpdir(), 'trawl-explain-'));
  });
  afterAll(async () => {
    await stub.stop();
    await rm(folder, { recursive: true });
  });

  const keys = {
    EXA_API_KEY: 'k',
    BRAVE_API_KEY: 'k',
    YOU_API_KEY: 'k',
    CERAMIC_API_KEY: 'k',
    SERPAPI_API_KEY: 'k',
  };
  const explain = (query: string, env = {}) =>
    explainRouting(readConfig({ ...keys, TOPIC_EMBEDDINGS_URL: stub.url, ...env }), query);

  it('names topic, scores, evidence, candidates and the three chosen providers with their reasons', async () => {
    const explanation = await explain('some companies');
    const placed = (slug: string) => {
      const rows = TOPIC_RANKING.topics.companies ?? [];
      const index = rows.findIndex(({ provider }) => provider === slug);
      return { ...rows[index], place: index + 1 };
    };
    expect(explanation).toMatchObject({
      query: 'some companies',
      topic: 'companies',
      decidedBy: 'embeddings endpoint',
      candidates: ['exa', 'brave', 'you', 'ceramic'],
      chosen: [placed('exa'), placed('brave'), placed('you')],
      rankingVersion: TOPIC_RANKING.version,
    });
    expect(explanation.scores.companies).toBe(explanation.score);
    expect(explanation.evidence.length).toBeGreaterThan(0);
  });

  it('follows ROUTING_FILE, and marks providers without a place in a ranking', async () => {
    const ROUTING_FILE = join(folder, 'routing.json');
    await writeFile(ROUTING_FILE, JSON.stringify({ version: 'ours', topics: { news: ['you'] } }));
    const { chosen, rankingVersion } = await explain('news', { ROUTING_FILE });
    expect(chosen).toMatchObject([
      { provider: 'you', place: 1, reason: 'placed here by the operator', source: 'ROUTING_FILE' },
      { provider: 'exa', place: null, source: null },
      { provider: 'brave', place: null, reason: expect.stringContaining('roster order') },
    ]);
    expect(rankingVersion).toBe('ours');
  });

  it('general queries run on the default providers', async () => {
    const { topic, chosen } = await explain('plain talk');
    expect(topic).toBe('general');
    expect(chosen).toMatchObject([
      { provider: 'exa', place: null, reason: expect.stringContaining('runs by default') },
      { provider: 'brave', place: null },
    ]);
  });

  it('without any key the default providers run, and fail', async () => {
    const { candidates, chosen } = await explainRouting(
      readConfig({ TOPIC_EMBEDDINGS_URL: stub.url, KEYLESS_SEARCH: 'off' }),
      'news',
    );
    expect(candidates).toEqual([]);
    expect(chosen).toMatchObject([
      { provider: 'exa', reason: 'runs by default; no candidate has a key' },
      { provider: 'brave', place: null },
    ]);
  });

  it('fails where the topic cannot be determined', async () => {
    const TOPIC_EMBEDDINGS_URL = 'http://127.0.0.1:9';
    await expect(explain('news', { TOPIC_EMBEDDINGS_URL })).rejects.toThrow('topic_embeddings');
  });

  it('2.10 the evidence for a topic can be shown', async () => {
    const config = readConfig({ EXA_API_KEY: 'k', BRAVE_API_KEY: 'k' });
    const { topic, decidedBy, scores, evidence } = await explainRouting(
      config,
      'Apple 10-K 2022 annual report risk factors SEC filing',
    );
    expect([topic, decidedBy]).toEqual(['financial_filings', 'embedded classifier']);
    expect(Object.values(scores).reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 3);
    expect(evidence[0]).toMatch(/^(word|pattern) ".+" speaks for it \(\+\d+\.\d\)$/);
  });
});
