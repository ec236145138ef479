import { isJsonObject } from '@trawl/contract';
import { type Embed, EmbeddingsError } from '@trawl/topics';
import { OWN_CALLER, type UpstreamRunner, type UpstreamTarget } from '@trawl/upstream';
import type { Config } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';

/** The name under which its calls are logged and cool down. */
const SLUG = 'topic_embeddings';
/** Text after this does not change the topic. */
const TEXT_CHARACTERS_MAX = 2_000;

type EmbeddingsSettings = Pick<
  Config,
  'topicEmbeddingsUrl' | 'topicEmbeddingsModel' | 'topicEmbeddingsApiKey'
>;

/**
 * Embeds texts by the operator's endpoint, through the same runner as providers; undefined where
 * none is set.
 */
export function endpointEmbed(
  { topicEmbeddingsUrl, topicEmbeddingsModel, topicEmbeddingsApiKey }: EmbeddingsSettings,
  runner: UpstreamRunner,
): Embed | undefined {
  if (topicEmbeddingsUrl === undefined) return undefined;
  const target: Omit<UpstreamTarget, 'timeoutMs'> = {
    slug: SLUG,
    operation: 'embedding',
    baseUrl: baseOf(topicEmbeddingsUrl),
    authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ', optional: true },
    credentials: topicEmbeddingsApiKey === undefined ? [] : [topicEmbeddingsApiKey],
    credentialVariable: SETTINGS.topicEmbeddingsApiKey.name,
    concurrency: 16,
  };
  return async ({ texts, timeoutMs, deadlineAt, signal }) => {
    const input = texts.map((text) => text.slice(0, TEXT_CHARACTERS_MAX).trim());
    const result = await runner.run({
      target: { ...target, timeoutMs },
      callerId: OWN_CALLER,
      call: { method: 'POST', path: '/embeddings', body: { model: topicEmbeddingsModel, input } },
      read: (json) => readVectors(json, texts.length),
      signal,
      deadlineAt,
      retry: false,
      overridden: false,
    });
    if (result.status === 'succeeded') return result.value;
    const { code, message } = result.failure;
    throw new EmbeddingsError(message, code !== 'cancelled');
  };
}

/** The address without the `/embeddings` at its end. */
function baseOf(url: string): string {
  if (url.endsWith('/embeddings')) return url.slice(0, -'/embeddings'.length);
  return url.endsWith('/v1') ? url : `${url}/v1`;
}

/**
 * `{data: [{index, embedding}]}`: one vector per text, all of one size; undefined = something else.
 */
function readVectors(json: unknown, count: number): readonly (readonly number[])[] | undefined {
  if (!isJsonObject(json) || !Array.isArray(json.data) || json.data.length !== count) {
    return undefined;
  }
  const vectors: (readonly number[])[] = [];
  for (const [position, item] of json.data.entries()) {
    if (!isJsonObject(item) || !isNumbers(item.embedding)) return undefined;
    vectors[typeof item.index === 'number' ? item.index : position] = item.embedding;
  }
  const size = vectors[0]?.length;
  const isWhole = vectors.length === count && vectors.every((vector) => vector.length === size);
  return isWhole && Object.keys(vectors).length === count ? vectors : undefined;
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => Number.isFinite(item));
