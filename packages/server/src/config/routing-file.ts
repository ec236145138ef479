import { isJsonObject, type JsonObject, TOPICS, type Topic } from '@trawl/contract';
import {
  type RankedProvider,
  TOPIC_RANKING,
  type TopicRankingTable,
  UNROUTED_TOPICS,
} from '@trawl/providers';
import { readJsonFile, shownName } from './json-file.ts';

const EXAMPLE = '{"topics": {"news": ["<provider>", "<provider>"]}}';
const ROW_KEYS = ['provider', 'reason', 'source'];

/**
 * The built-in ranking with the operator's own order in the topics that the file names.
 * @param slugs of the search providers
 * @returns the problem as the end of a sentence that begins with the setting's name, where the file
 * cannot be used: it names the file and the place in it
 */
export function readRouting(
  path: string,
  slugs: readonly string[],
): { readonly value: TopicRankingTable } | { readonly problem: string } {
  const inFile = (problem: string) => ({ problem: `must name a routing file: ${path} ${problem}` });
  const read = readJsonFile(path);
  if ('problem' in read) return inFile(read.problem);
  const { version, topics, ...others } = read.value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) {
    return inFile(`has the unknown key ${shownName(stranger)}; it takes version and topics`);
  }
  if (version !== undefined && typeof version !== 'string') {
    return inFile('has a version that is not a text; write it in quotes');
  }
  if (!isJsonObject(topics)) return inFile(`needs an object topics; write ${EXAMPLE}`);
  const own: Partial<Record<Topic, readonly RankedProvider[]>> = {};
  for (const [name, list] of Object.entries(topics)) {
    const topic = ROUTED_TOPICS.find((known) => known === name);
    if (topic === undefined) return inFile(unknownTopic(name));
    const rows = readRows(list, slugs);
    if (typeof rows === 'string') return inFile(rows.replace('PLACE', `topics.${topic}`));
    own[topic] = rows;
  }
  return {
    value: {
      version: version ?? `${TOPIC_RANKING.version}, changed by the operator`,
      topics: { ...TOPIC_RANKING.topics, ...own },
    },
  };
}

const ROUTED_TOPICS = TOPICS.filter((topic) => !UNROUTED_TOPICS.has(topic));

function unknownTopic(name: string): string {
  const why = TOPICS.some((topic) => topic === name)
    ? 'whose queries run on the default providers'
    : 'which is unknown';
  return `ranks the topic ${shownName(name)}, ${why}; the topics are ${ROUTED_TOPICS.join(', ')}`;
}

/** The rows of one topic, or their problem, in which PLACE is replaced by their place. */
function readRows(list: unknown, slugs: readonly string[]): readonly RankedProvider[] | string {
  if (!Array.isArray(list) || list.length === 0) {
    return `needs a list of providers at PLACE; write ${EXAMPLE}`;
  }
  const rows: RankedProvider[] = [];
  for (const [index, item] of list.entries()) {
    const row = readRow(item, slugs);
    if (typeof row === 'string') return row.replace('PLACE', `PLACE[${index}]`);
    if (rows.some(({ provider }) => provider === row.provider)) {
      return `names ${row.provider} twice, again at PLACE[${index}]; leave one out`;
    }
    rows.push(row);
  }
  return rows;
}

const BY_OPERATOR = { reason: 'placed here by the operator', source: 'ROUTING_FILE' };

/** A row as in the built-in ranking, or a name alone. */
function readRow(item: unknown, slugs: readonly string[]): RankedProvider | string {
  const { provider, reason, source, ...others }: JsonObject = isJsonObject(item)
    ? item
    : { provider: item };
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) {
    return `has the unknown key ${shownName(stranger)} at PLACE; it takes ${ROW_KEYS.join(', ')}`;
  }
  if (typeof provider !== 'string') {
    return 'names no provider at PLACE; write its name, or {"provider", "reason", "source"}';
  }
  if (!slugs.includes(provider)) {
    return `names the unknown provider ${shownName(provider)} at PLACE; the providers are ${slugs.join(', ')}`;
  }
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  if (!isText(reason) || !isText(source)) {
    return 'has a reason or source that is not a text at PLACE; write it in quotes';
  }
  return {
    provider,
    reason: typeof reason === 'string' ? reason : BY_OPERATOR.reason,
    source: typeof source === 'string' ? source : BY_OPERATOR.source,
  };
}
