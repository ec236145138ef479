import { randomUUID } from 'node:crypto';
import { LATE, within } from '@trawl/base';
import { shownAddress } from './address.ts';
import { keepSession } from './keep-session.ts';
import { causeOf, isRefusal } from './reply-error.ts';
import { openSession, type Send, type Session } from './session.ts';

/**
 * What `ask` returns when Redis is away or refused the command: the caller goes on in this process.
 */
export const AWAY = Symbol('away');

/** What Redis is used for; a label of metrics. */
export const OPERATIONS = [
  'ping',
  'rate_limit',
  'pace',
  'circuit',
  'page_cache',
  'shared_work',
  'key_change',
] as const;
export type RedisOperation = (typeof OPERATIONS)[number];

/** Fields, then a sentence, as pino takes them. */
export interface RedisLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** For metrics. */
export interface RedisMonitor {
  isUp(): boolean;
  /** Commands that failed since the start, by what they were for. */
  errors(): ReadonlyMap<RedisOperation, number>;
}

/** The connection to a Redis that may be away at any time. */
export interface RedisLink extends RedisMonitor {
  /** This process, in messages to others. */
  readonly id: string;
  /** The key or channel of a name in this deployment. */
  key(name: string): string;
  /** The result, or AWAY. Never waits while Redis is away, and never rejects. */
  ask<Value>(
    operation: RedisOperation,
    work: (send: Send) => Promise<Value>,
  ): Promise<Value | typeof AWAY>;
  /** Hears the messages of a channel from the next connection on. Call it before `start`. */
  listen(channel: string, heard: (message: string) => void): void;
  /** Called whenever Redis comes or goes. */
  onState(listener: (isUp: boolean) => void): void;
  /** Connects, and keeps trying in the background. Resolves after the first try. */
  start(): Promise<void>;
  close(): void;
}

export interface RedisLinkOptions {
  /** A `redis://` or `rediss://` address. */
  readonly address: string;
  /** Deployments that share a Redis differ in it. */
  readonly deploymentId: string;
  readonly log: RedisLog;
  /** Limit of one command, in milliseconds; default 250. */
  readonly timeoutMs?: number;
  /** Limit of connecting, in the background; default 2 s. */
  readonly connectTimeoutMs?: number;
  /** Between tries to connect, and between looks at an idle connection; default 1 s. */
  readonly pauseMs?: number;
}

const WENT =
  'Redis does not answer: rate limits, circuits, cached pages and shared fetches are per process until it does';
const CAME = 'Redis answers: replicas share rate limits, circuits, pages and fetches';

export function createRedisLink(options: RedisLinkOptions): RedisLink {
  const { address, deploymentId, timeoutMs = 250, pauseMs = 1_000 } = options;
  // one hash tag, so all keys of a script are on one node
  const key = (name: string) => `trawl:{${deploymentId}}:${name}`;
  const listeners = new Map<string, (message: string) => void>();
  const faults = createFaults(options);
  let heartbeat: NodeJS.Timeout | undefined;
  const kept = keepSession({
    pauseMs,
    open: (onBroken) =>
      openSession({
        address,
        connectTimeoutMs: options.connectTimeoutMs ?? 2_000,
        listeners,
        checkKey: key('check'),
        onBroken,
      }),
    onUp: (session) => {
      heartbeat = setInterval(() => void beat(session), pauseMs).unref();
      faults.came();
    },
    onDown: (cause) => {
      clearInterval(heartbeat);
      faults.went(cause);
    },
  });

  /**
   * Redis answers this work in time; otherwise the session ends, unless it refused this one command
   * only.
   */
  async function ask<Value>(
    operation: RedisOperation,
    used: Session | undefined,
    work: (session: Session) => Promise<Value>,
  ): Promise<Value | typeof AWAY> {
    if (used === undefined) return AWAY;
    try {
      const result = await within(work(used), timeoutMs, true);
      if (result !== LATE) return result;
      faults.count(operation);
      kept.drop(used, 'timeout');
    } catch (error) {
      faults.count(operation);
      if (isRefusal(error)) faults.refused(operation, causeOf(error));
      else kept.drop(used, causeOf(error));
    }
    return AWAY;
  }

  /** Notices a frozen Redis, mostly before a request does. */
  const beat = (session: Session) => ask('ping', session, ({ ping }) => ping());

  return {
    id: randomUUID(),
    key,
    isUp: () => kept.current() !== undefined,
    errors: () => faults.counts,
    ask: (operation, work) => ask(operation, kept.current(), ({ send }) => work(send)),
    listen: (channel, heard) => {
      listeners.set(channel, heard);
    },
    onState: faults.onState,
    start: kept.start,
    close: () => {
      clearInterval(heartbeat);
      kept.close();
    },
  };
}

/**
 * Counts faults, reports when Redis comes or goes, and logs one line for each time, and for each
 * kind of refused command.
 */
function createFaults({ address, log }: RedisLinkOptions) {
  const listeners: ((isUp: boolean) => void)[] = [];
  const changed = (isUp: boolean) => {
    for (const listener of listeners) listener(isUp);
  };
  const counts = new Map<RedisOperation, number>();
  const refusals = new Set<string>();
  const redis = shownAddress(address);
  let isAway = false;
  return {
    counts,
    onState: (listener: (isUp: boolean) => void): void => {
      listeners.push(listener);
    },
    count: (operation: RedisOperation): void => {
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
    },
    came: (): void => {
      isAway = false;
      log.info({ redis }, CAME);
      changed(true);
    },
    went: (cause: string): void => {
      if (!isAway) log.warn({ redis, cause }, WENT);
      isAway = true;
      changed(false);
    },
    refused: (operation: RedisOperation, cause: string): void => {
      const kind = `${operation} ${cause}`;
      if (!refusals.has(kind)) {
        log.warn({ operation, cause }, 'Redis refused a command: this process goes on without it');
      }
      refusals.add(kind);
    },
  };
}
