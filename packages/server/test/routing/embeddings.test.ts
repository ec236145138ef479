import { systemClock } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { type EmbeddingsStub, startEmbeddingsStub } from '@trawl/test-support/embeddings-stub';
import type { TopicDecider } from '@trawl/topics';
import { createTopics } from '@trawl/topics';
import { topicExamples } from '@trawl/topics/testing';
import type { UpstreamRunner } from '@trawl/upstream';
import { createUpstreamRunner } from '@trawl/upstream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endpointEmbed } from '../../src/routing/embeddings-endpoint.ts';

describe('topics by an embeddings endpoint', () => {
  let stub: EmbeddingsStub;
  let runner: UpstreamRunner;
  let passedMs = 0;
  const now = () => systemClock.now() + passedMs;
  const { signal } = new AbortController();

  beforeEach(async () => {
    passedMs = 0;
    stub = await startEmbeddingsStub();
    runner = createUpstreamRunner({
      clock: systemClock,
      breaker: 'off',
      proxy: { httpsProxy: undefined, noProxy: undefined },
    });
  });
  afterEach(async () => {
    await runner.close();
    await stub.stop();
  });

  const settings = (url: string, model: string, apiKey?: string) => ({
    topicEmbeddingsUrl: url,
    topicEmbeddingsModel: model,
    topicEmbeddingsApiKey: apiKey,
  });
  const judge = (path = '', apiKey: string | undefined = 'key-1'): TopicDecider =>
    createTopics(endpointEmbed(settings(`${stub.url}${path}`, 'model-1', apiKey), runner), {
      now,
      stopSignal: signal,
      timeLimitMs: 500,
    });
  const topicsOf = async (from: TopicDecider, ...queries: string[]) =>
    (await from.topics(queries, signal)).map(({ topic }) => topic);

  it('is the topic with the nearest examples, or general if none are near', async () => {
    const queries = TOPICS.map((topic) => `about ${topic}`);
    const findings = await judge().topics([...queries, 'neither'], signal);
    expect(findings.map(({ topic }) => topic)).toEqual([...TOPICS, 'general']);
    for (const { score } of findings.slice(0, -1)) expect(score).toBeGreaterThan(0.8);
    expect(findings.at(-1)?.score).toBeCloseTo(1 / 8, 5);
  });

  it.each([
    ['', '/v1/embeddings'],
    ['/v1', '/v1/embeddings'],
    ['/gateway', '/gateway/v1/embeddings'],
    ['/api/embeddings', '/api/embeddings'],
  ])('a URL that ends in "%s" is called at %s', async (path, called) => {
    await topicsOf(judge(path), 'news');
    expect(new Set(stub.calls.map((call) => call.path))).toEqual(new Set([called]));
  });

  it('sends model and key; no Authorization without a key', async () => {
    await topicsOf(judge(), 'news');
    expect(stub.queryCalls()).toMatchObject([{ model: 'model-1', authorization: 'Bearer key-1' }]);
    const keyless = createTopics(endpointEmbed(settings(stub.url, 'm'), runner), {
      now,
      stopSignal: signal,
    });
    await topicsOf(keyless, 'companies');
    expect(stub.queryCalls().at(-1)?.authorization).toBeUndefined();
  });

  it('sends all queries of a search in one call, and never sends a known one again', async () => {
    const topics = judge();
    expect(await topicsOf(topics, 'news', 'companies', 'news')).toEqual([
      ...['news', 'companies', 'news'],
    ]);
    await topicsOf(topics, 'companies', 'people_profiles');
    await topicsOf(topics, 'news', 'companies');
    expect(stub.queryCalls().map(({ input }) => input)).toEqual([
      ['news', 'companies'],
      ['people_profiles'],
    ]);
  });

  it('embeds the examples once, in calls that small servers accept', async () => {
    const topics = judge();
    await Promise.all([topicsOf(topics, 'news'), topicsOf(topics, 'companies')]);
    await topicsOf(topics, 'people_profiles');
    const examples = stub.calls.filter((call) => !stub.queryCalls().includes(call));
    expect(examples.flatMap(({ input }) => input)).toHaveLength(
      Object.values(topicExamples()).flat().length,
    );
    for (const { input } of examples) expect(input.length).toBeLessThanOrEqual(32);
  });

  it.each(['status', 'no-json', 'short', 'hang'] as const)(
    'pauses after a failure (%s), then tries again',
    async (trouble) => {
      const topics = judge();
      await topicsOf(topics, 'news');
      stub.fail(trouble);
      await expect(topicsOf(topics, 'companies')).rejects.toThrow(/topic_embeddings/);
      stub.fail(undefined);
      const asked = stub.calls.length;
      await expect(topicsOf(topics, 'news')).rejects.toThrow('cools down');
      expect(stub.calls.length).toBe(asked);
      passedMs = 11_000;
      expect(await topicsOf(topics, 'companies')).toEqual(['companies']);
    },
  );

  it('after another model answers, queries that were cached work again when the pause is over', async () => {
    const topics = judge();
    await topicsOf(topics, 'news');
    stub.replaceModel();
    await expect(topicsOf(topics, 'companies')).rejects.toThrow('different sizes');
    passedMs = 11_000;
    expect(await topicsOf(topics, 'news')).toEqual(['news']);
    expect(await topicsOf(topics, 'companies')).toEqual(['companies']);
  });

  it('tries the examples again after they failed', async () => {
    const topics = judge();
    stub.fail('status');
    await expect(topicsOf(topics, 'news')).rejects.toThrow(/topic_embeddings/);
    stub.fail(undefined);
    passedMs = 11_000;
    expect(await topicsOf(topics, 'news')).toEqual(['news']);
  });

  it('a caller that gives up does not count as a failure of the endpoint', async () => {
    const topics = judge();
    await topicsOf(topics, 'news');
    stub.fail('hang');
    const gone = new AbortController();
    const search = topics.topics(['companies'], gone.signal);
    gone.abort();
    await expect(search).rejects.toThrow();
    stub.fail(undefined);
    expect(await topicsOf(topics, 'companies')).toEqual(['companies']);
  });

  it('never shows the key', async () => {
    stub.fail('status');
    const failure = await judge().topics(['news'], signal).catch(String);
    expect(failure).toContain('500');
    expect(failure).not.toContain('key-1');
  });

  it('explains with the scores of all topics and the nearest examples', async () => {
    const { topic, scores, evidence } = await judge().explain('companies', signal);
    expect(topic).toBe('companies');
    expect(Object.keys(scores)).toEqual(TOPICS);
    expect(Object.values(scores).reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 5);
    expect(evidence[0]).toContain('near the examples of companies');
  });
});

it('every topic has fifteen different examples', () => {
  for (const topic of TOPICS) expect(topicExamples()[topic].length).toBeGreaterThanOrEqual(15);
  const all = Object.values(topicExamples()).flat();
  expect(new Set(all).size).toBe(all.length);
});
