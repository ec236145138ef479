import { type Clock, DAY_MS, isoTime } from '@trawl/base';
import type { ProviderHealth } from '@trawl/contract';
import {
  ANSWERS_A_DAY,
  type DecidedHealth,
  FIRST_HEALTH,
  type HealthMeasure,
  isBad,
  type KeptHealth,
  neededFrom,
  nextHealth,
  type OlderAnswers,
  olderSpan,
  resetHealth,
  sumUp,
  WINDOW,
} from '@trawl/router';
import { createClockJump, type HealthStore } from '@trawl/store';
import type { Logger } from 'pino';

export interface HealthWatchOptions {
  readonly store: HealthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Called after each look with all that is known. */
  readonly onLook?: ((health: ReadonlyMap<string, DecidedHealth>) => void) | undefined;
  /** Milliseconds between two looks. Default 20 s, so that a state is shown within a minute. */
  readonly pauseMs?: number | undefined;
}

/** How the answers of each provider are, next to its own of before. */
export interface HealthWatch {
  readonly of: (provider: string) => DecidedHealth | undefined;
  /** By slug. */
  readonly all: () => ReadonlyMap<string, DecidedHealth>;
  /**
   * Forgets that a provider is ill, and what it answered until now.
   * @param within runs the change, in one transaction with what belongs to it
   */
  readonly reset: (
    provider: string,
    within: (change: (store: HealthStore) => Promise<void>) => Promise<void>,
  ) => Promise<void>;
  /** Looks now. Never rejects. */
  readonly look: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => Promise<void>;
}

const PAUSE_MS = 20_000;
/** What is usual changes slowly; what was ill is left out at once. */
const OLDER_KEPT_MS = 30 * 60_000;
const THIN_EVERY_MS = 60 * 60_000;
const RESET_TRIES = 5;

export function watchHealth(options: HealthWatchOptions): HealthWatch {
  const { store, clock, log, onLook, pauseMs = PAUSE_MS } = options;
  const known = new Map<string, DecidedHealth>();
  const olderOf = rememberedOlder(store, clock);
  const thinning = createThinning(store, clock);
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const lookAt = async (
    provider: string,
    kept: KeptHealth | undefined,
    time: number,
  ): Promise<void> => {
    const newest = await store.newest(provider, WINDOW);
    // the clock of another server may be ahead
    const now = Math.max(time, newest[0]?.answeredAt ?? 0);
    const older = await olderOf(provider, newest.at(-1)?.answeredAt ?? now, kept?.ill ?? null);
    const inDay = newest.filter(({ answeredAt }) => now - answeredAt < DAY_MS).length;
    const facts = { newest, older, inDay: Math.min(inDay, ANSWERS_A_DAY), now };
    const next = nextHealth(kept ?? { ...FIRST_HEALTH, since: now }, facts);
    const isChanged = next.state !== kept?.state || next.countsFrom !== kept.countsFrom;
    // where another server was first, its state is read with the next look
    if (isChanged && !(await store.keep(provider, kept, next))) return;
    if (isChanged && kept) {
      const said = { provider, state: next.state, before: kept.state };
      if (next.state === 'ill') {
        const reasons = next.measures.filter(isBad).map(measureText);
        log.warn({ ...said, reasons }, 'the answers of a provider went bad');
      } else log.info(said, 'the health of a provider changed');
    }
    known.set(provider, next);
    await thinning.thin(provider, next, time);
  };

  const lookAtAll = async (): Promise<void> => {
    try {
      const time = await store.time(clock.now());
      thinning.look(time);
      const kept = await store.kept();
      for (const provider of await store.providers()) {
        await lookAt(provider, kept.get(provider), time);
      }
      onLook?.(known);
    } catch (err) {
      log.warn({ err }, 'the health of providers could not be read');
    }
  };
  const look = (): Promise<void> => {
    looking ??= lookAtAll().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    of: (provider) => known.get(provider),
    all: () => known,
    reset: async (provider, within) => {
      const now = await store.time(clock.now());
      await within((own) => resetKept(own, provider, now));
      // a look in progress may have read the state before
      await looking;
      await look();
    },
    look,
    start: () => {
      void look();
      timer = setInterval(look, pauseMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

async function resetKept(store: HealthStore, provider: string, now: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const kept = (await store.kept()).get(provider);
    if (!kept || (await store.keep(provider, kept, resetHealth(kept, now)))) return;
    // another server stored a state in between
    if (tries === RESET_TRIES) throw new Error(`${provider} could not be reset`);
  }
}

/** Deletes by age once an hour, and not in the hour after the clock was set ahead. */
function createThinning(store: HealthStore, clock: Pick<Clock, 'now'>) {
  const thinnedAt = new Map<string, number>();
  const jump = createClockJump(clock.now);
  let from = Number.NEGATIVE_INFINITY;
  return {
    look: (time: number): void => {
      if (jump() > 0) from = time + THIN_EVERY_MS;
    },
    thin: async (provider: string, health: KeptHealth, time: number): Promise<void> => {
      const last = thinnedAt.get(provider) ?? Number.NEGATIVE_INFINITY;
      if (time < from || last > time - THIN_EVERY_MS) return;
      thinnedAt.set(provider, time);
      await store.thin(provider, neededFrom(health, time));
    },
  };
}

interface Remembered {
  readonly at: number;
  readonly until: number;
  readonly ill: string;
  readonly older: OlderAnswers;
}

/**
 * Sums of the older answers, without those of an illness. Read again where there are newer ones, of
 * a long history after half an hour.
 */
function rememberedOlder(store: HealthStore, clock: Pick<Clock, 'now'>) {
  const sums = new Map<string, Remembered>();
  return async (
    provider: string,
    oldestOfNewest: number,
    ill: KeptHealth['ill'],
  ): Promise<OlderAnswers> => {
    const { from, until } = olderSpan({ ill }, oldestOfNewest);
    const found = sums.get(provider);
    const which = `${ill?.from} ${ill?.to}`;
    // a small history grows fast
    const keptMs = (found?.older.answers ?? 0) < OLDER_FEW ? 0 : OLDER_KEPT_MS;
    const isFresh = found && (found.until === until || clock.now() - found.at < keptMs);
    if (isFresh && found.ill === which) return found.older;
    const all = await store.between(provider, from, until);
    const isIll = (at: number) => ill !== null && at >= ill.from && at <= (ill.to ?? Infinity);
    const older = sumUp(all.filter(({ answeredAt }) => !isIll(answeredAt)));
    sums.set(provider, { at: clock.now(), until, ill: which, older });
    return older;
  };
}

const OLDER_FEW = 500;

/** As the roster shows it. */
export const shownHealth = (health: DecidedHealth | undefined): ProviderHealth =>
  health
    ? { state: health.state, since: isoTime(health.since) }
    : { state: 'unknown', since: null };

/** Slugs of those that are ill. */
export const illOf = (all: ReadonlyMap<string, DecidedHealth>): ReadonlySet<string> =>
  new Set([...all].flatMap(([slug, { state }]) => (state === 'ill' ? slug : [])));

const percent = (value: number): string => `${Math.round(value * 100)} %`;

/** What was measured, in a sentence. */
export function measureText({ kind, field, recent, before, answers }: HealthMeasure): string {
  const newest = `of its last ${answers} answers`;
  switch (kind) {
    case 'empty':
      return `${newest} ${percent(1 - recent)} had no rows, and ${percent(1 - before)} of those before; where all others found nothing either, an answer does not count`;
    case 'rows':
      return `${newest} with rows, each has ${percent(recent)} of the rows that were usual before`;
    case 'field':
      return `${newest} that should have ${field}, ${percent(recent)} have it; ${percent(before)} of those before`;
  }
}
