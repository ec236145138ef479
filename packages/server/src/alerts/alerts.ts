import { type Clock, HOUR_MS, isoTime, LATE, within } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import type { AlertEnd, AlertLog, LoggedAlert } from '@trawl/store';
import type { Logger } from 'pino';
import { type PostOptions, postSigned, type Webhook } from './webhook.ts';

export type AlertType =
  | 'budget'
  | 'provider_key_refused'
  | 'circuit_open'
  | 'provider_health'
  | 'store_closed'
  | 'watch'
  | 'test';

/** Something that the operator should know. It has no text of callers and no secrets. */
export interface Alert {
  readonly type: AlertType;
  /** What it is about: one is sent for it in an hour. */
  readonly subject: string;
  /** A sentence for people. */
  readonly message: string;
  readonly data: JsonObject;
}

export interface AlertsOptions {
  readonly webhook: Webhook;
  readonly alertLog: Pick<AlertLog, 'claim' | 'end'>;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** `PUBLIC_URL`, so that a receiver knows which deployment it is. */
  readonly publicUrl: string | undefined;
  readonly timing?: PostOptions['timing'];
}

export interface Alerts {
  /** Sends an alert soon, unless one about its subject was sent within an hour. Never throws. */
  raise(alert: Alert): void;
  /** Whether an alert about this subject would not be sent now. */
  isQuiet(subject: string): boolean;
  /** Ends what is being sent. */
  stop(): Promise<void>;
}

/** Alerts that wait while one is sent, which a webhook that hangs lets take 21 seconds. */
const WAITING_MAX = 100;
/** Subjects that this process remembers. */
const SUBJECTS_MAX = 2_000;
/** An alert that another server sent, or that was dropped, may be raised again after this time. */
const ASK_AGAIN_MS = 60_000;
/** How long the database may take; without its answer this process decides alone. */
const DATABASE_MS = 3_000;

/** Posts alerts one after the other, in the background. What waits and what is kept is bounded. */
export function createAlerts(options: AlertsOptions): Alerts {
  const { alertLog, clock, log, elapsed = () => performance.now() } = options;
  const stopping = new AbortController();
  /** Runs of watches come last: they may be many, and their news can be read all the same. */
  const waiting: Alert[] = [];
  /** Until when no alert about a subject is sent. */
  const quiet = new Map<string, number>();
  let sending: Promise<void> | undefined;

  const isQuiet = (subject: string): boolean => (quiet.get(subject) ?? 0) > elapsed();
  const keepQuiet = (subject: string, milliseconds: number): void => {
    quiet.delete(subject);
    quiet.set(subject, elapsed() + milliseconds);
    const [oldest] = quiet.keys();
    if (quiet.size > SUBJECTS_MAX && oldest !== undefined) quiet.delete(oldest);
  };
  /** Whether this server may send it. While the database cannot be used, each process may. */
  const claim = async (id: string, { type, subject, message }: Alert): Promise<boolean> => {
    const claiming = alertLog.claim({ id, type, subject, message }, clock.now()).catch(() => LATE);
    return (await within(claiming, DATABASE_MS)) !== false;
  };
  const send = async (alert: Alert): Promise<void> => {
    const id = clock.newId();
    if (!(await claim(id, alert))) return keepQuiet(alert.subject, ASK_AGAIN_MS);
    const body = bodyOf(alert, { id, at: clock.now(), publicUrl: options.publicUrl });
    const end = await postSigned(options.webhook, body, {
      signal: stopping.signal,
      now: clock.now,
      timing: options.timing,
    });
    report(alert, end);
    await within(
      alertLog.end(id, end).catch(() => {}),
      DATABASE_MS,
    );
  };
  const report = ({ type, subject }: Alert, { tries, problem }: AlertEnd): void => {
    const fields = { alert: type, subject, tries };
    if (problem === null) log.info(fields, 'an alert was sent');
    else log.warn({ ...fields, problem }, 'an alert could not be sent to the webhook');
  };
  const sendAll = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (!stopping.signal.aborted) await send(next);
    }
    sending = undefined;
  };

  return {
    raise: (alert) => {
      if (stopping.signal.aborted || isQuiet(alert.subject)) return;
      keepQuiet(alert.subject, HOUR_MS);
      const firstRun = waiting.findIndex(({ type }) => type === 'watch');
      const isLast = alert.type === 'watch' || firstRun === -1;
      waiting.splice(isLast ? waiting.length : firstRun, 0, alert);
      const dropped = waiting.length > WAITING_MAX ? waiting.pop() : undefined;
      if (dropped) {
        keepQuiet(dropped.subject, ASK_AGAIN_MS);
        const fields = { alert: dropped.type, subject: dropped.subject };
        log.warn(fields, `an alert was dropped: ${WAITING_MAX} others wait for the webhook`);
      }
      sending ??= sendAll();
    },
    isQuiet,
    stop: async () => {
      stopping.abort();
      await sending;
    },
  };
}

interface BodyFacts {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly publicUrl: string | undefined;
}

/** The JSON that is posted. */
export const bodyOf = (alert: Alert, { id, at, publicUrl = '' }: BodyFacts): string =>
  JSON.stringify({
    id,
    type: alert.type,
    subject: alert.subject,
    created_at: isoTime(at),
    server: publicUrl === '' ? null : publicUrl,
    message: alert.message,
    data: alert.data,
  });

/** A logged alert in the form that the console's API and `trawl alerts list --json` have. */
export const sentAlert = ({ createdAt, ...alert }: LoggedAlert) => ({
  ...alert,
  created_at: createdAt,
});
