import { isJsonObject, parsedUrl, TOPICS, type Topic } from '@trawl/contract';
import { comparableUrl } from '@trawl/providers';
import type { Truth } from '../statistics/relevance.ts';

/** A query with its topic, and the pages that answer it if known. */
export interface LabelledQuery {
  readonly topic: Topic;
  readonly query: string;
  /** Pages or sites that are right; empty = unknown. */
  readonly truths: readonly Truth[];
}

/**
 * Reads a file of labelled queries, one per line: JSON objects `{topic, query, urls?, domains?}`,
 * or columns separated by tabs: topic, query, and URLs or domains separated by spaces or commas.
 * Empty lines, `#` comments and a header line are skipped.
 * @throws Error naming the line, its fault and the fix
 */
export function readQueryFile(text: string): readonly LabelledQuery[] {
  const queries: LabelledQuery[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (queries.length === 0 && /^topic\tquery\b/i.test(line)) continue;
    const read = line.trimStart().startsWith('{') ? readJsonLine(line) : readColumns(line);
    if (typeof read === 'string') throw new Error(`line ${index + 1} ${read}`);
    queries.push(read);
  }
  if (queries.length === 0) throw new Error('it does not contain queries');
  return queries;
}

function readColumns(line: string): LabelledQuery | string {
  const [topic, query, ...rest] = line.split('\t');
  if (query === undefined) return 'lacks a tab; write topic, a tab, and the query';
  return labelled(
    topic?.trim(),
    query,
    rest
      .join(' ')
      .split(/[\s,]+/)
      .filter(Boolean),
  );
}

function readJsonLine(line: string): LabelledQuery | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON; write {"topic": "news", "query": "…", "urls": ["https://…"]}';
  }
  if (!isJsonObject(value)) return 'is not a JSON object';
  const { topic, query, urls = [], domains = [] } = value;
  if (!isTexts(urls)) return 'has urls that are not a list of texts';
  if (!isTexts(domains)) return 'has domains that are not a list of texts';
  return labelled(topic, query, [...urls, ...domains]);
}

function labelled(
  topicName: unknown,
  query: unknown,
  places: readonly string[],
): LabelledQuery | string {
  const topic = TOPICS.find((known) => known === topicName);
  if (topic === undefined) return `has an unknown topic; the topics are ${TOPICS.join(', ')}`;
  if (typeof query !== 'string' || query.trim() === '') return 'lacks a query';
  const truths: Truth[] = [];
  for (const place of places) {
    const truth = readTruth(place);
    if (truth === undefined)
      return `names neither URL nor domain: ${JSON.stringify(place.slice(0, 80))}`;
    truths.push(truth);
  }
  return { topic, query: query.trim(), truths };
}

function readTruth(place: string): Truth | undefined {
  if (/^https?:\/\//i.test(place))
    return comparableUrl(place) === null ? undefined : { url: place };
  const domain = /^[^\s/:@]+$/.test(place) ? parsedUrl(`https://${place}`)?.hostname : undefined;
  return domain !== undefined && place.slice(1, -1).includes('.') ? { domain } : undefined;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
