import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NotTextError, readTextFile } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { TOPIC_RANKING, type TopicRanking, type TopicRankingTable } from '@trawl/providers';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';

const LearnedOrder = z.strictObject({
  version: z.string().min(1),
  /** The learned order that was in use when this was proposed; null = none. */
  over: z.string().nullable(),
  topics: z.partialRecord(
    z.enum(TOPICS),
    z
      .array(
        z.strictObject({ provider: z.string().min(1), reason: z.string(), source: z.string() }),
      )
      .min(1),
  ),
  /** The figures behind it, for people to read. */
  evidence: z.array(z.unknown()),
});
/** Orders of some topics, learned from records. It has all that was learned before it too. */
export type LearnedOrder = z.output<typeof LearnedOrder>;

const LearnedRouting = z.strictObject({
  format: z.literal(1),
  /** Whether servers compare the proposal with what they do. */
  shadow: z.boolean(),
  /** Oldest first; the last one is in use, and the one before it comes back with a revert. */
  promoted: z.array(LearnedOrder),
  proposal: LearnedOrder.nullable(),
});
export type LearnedRouting = z.output<typeof LearnedRouting>;

const NOTHING: LearnedRouting = { format: 1, shadow: false, promoted: [], proposal: null };

type LearnedSettings = Pick<Config, 'learnedRoutingFile' | 'dataDir'>;

export const learnedPath = ({ learnedRoutingFile, dataDir }: LearnedSettings): string =>
  learnedRoutingFile ?? join(dataDir, 'learned-routing.json');

/**
 * What auto-routing learned; nothing where the file does not exist. @throws Error naming the file,
 * its fault and the fix
 */
export function readLearned(settings: LearnedSettings): LearnedRouting {
  const path = learnedPath(settings);
  try {
    return parseLearned(readTextFile(path), path);
  } catch (error) {
    if (error instanceof NotTextError) throw fault(path, error.message);
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ENOENT') return NOTHING;
    throw fault(path, `cannot be read (${error.code}); check its permissions`);
  }
}

function parseLearned(text: string, path: string): LearnedRouting {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw fault(path, `is not JSON; ${FIX}`);
  }
  const read = LearnedRouting.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw fault(path, `has a fault${place}: ${issue?.message}; ${FIX}`);
}

const FIX = 'restore it from a backup, or remove it to forget what was learned';

const fault = (path: string, problem: string): Error =>
  new Error(`${SETTINGS.learnedRoutingFile.name}: ${path} ${problem}`);

/** Replaces the file at once, so that a server never reads half of it. */
export function writeLearned(settings: LearnedSettings, learned: LearnedRouting): void {
  const path = learnedPath(settings);
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, `${JSON.stringify(learned, null, 2)}\n`);
  renameSync(draft, path);
}

/** The settings' ranking with what was learned and promoted. @throws as `readLearned` */
export const rankingInUse = (settings: LearnedSettings & Pick<Config, 'ranking'>) =>
  withOrder(settings.ranking, readLearned(settings).promoted.at(-1));

/** The ranking with a learned order. The operator's own order of a topic stays. */
export function withOrder(
  ranking: TopicRankingTable,
  order: LearnedOrder | null | undefined,
): TopicRankingTable {
  if (!order) return ranking;
  const learned = learnedTopics(ranking, order);
  if (Object.keys(learned).length === 0) return ranking;
  return {
    version: `${ranking.version}, ${order.version}`,
    topics: { ...ranking.topics, ...learned },
  };
}

/** The topics of a learned order that the operator did not order. */
export const learnedTopics = (ranking: TopicRankingTable, { topics }: LearnedOrder): TopicRanking =>
  Object.fromEntries(
    TOPICS.flatMap((topic) => {
      const rows = topics[topic];
      return rows && !isOperators(ranking, topic) ? [[topic, rows]] : [];
    }),
  );

/** Whether the operator ordered this topic: its rows are not the built-in ones. */
export const isOperators = (
  { topics }: TopicRankingTable,
  topic: (typeof TOPICS)[number],
): boolean => topics[topic] !== TOPIC_RANKING.topics[topic];
