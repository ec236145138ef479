import type { TopicRanking } from '@trawl/providers';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import {
  type LearnedRouting,
  learnedTopics,
  readLearned,
  withOrder,
} from '../routing/learned-file.ts';

const PAUSE_MS = 2_000;

export interface LearnedRoutingWatch {
  /** The ranking in use. Its contents change with the file. */
  readonly ranking: Config['ranking'];
  /** The proposed ranking of its topics, where it is compared; null = it is not. */
  readonly shadow: () => TopicRanking | null;
  readonly stop: () => void;
}

/**
 * Uses the learned order of the file, and looks every two seconds whether the file is another one.
 * A file that cannot be read changes nothing.
 */
export function useLearnedRouting(config: Config, log: Logger): LearnedRoutingWatch {
  const ranking = { version: config.ranking.version, topics: { ...config.ranking.topics } };
  let shadow: TopicRanking | null = null;
  let seen = '';

  function use(learned: LearnedRouting): void {
    const now = withOrder(config.ranking, learned.promoted.at(-1));
    if (now.version !== ranking.version)
      log.info({ version: now.version }, 'learned topic ranking');
    ranking.version = now.version;
    Object.assign(ranking.topics, now.topics);
    const { proposal } = learned;
    shadow = learned.shadow && proposal ? learnedTopics(config.ranking, proposal) : null;
  }

  function look(): void {
    let state: string;
    try {
      const learned = readLearned(config);
      state = JSON.stringify(learned);
      if (state !== seen) use(learned);
    } catch (error) {
      state = error instanceof Error ? error.message : 'unknown';
      if (state !== seen) log.warn(`the topic ranking stays as it is: ${state}`);
    }
    seen = state;
  }

  look();
  const timer = setInterval(look, PAUSE_MS).unref();
  return { ranking, shadow: () => shadow, stop: () => clearInterval(timer) };
}
