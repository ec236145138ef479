import { isoTime } from '@trawl/base';
import {
  type Budget,
  type BudgetStore,
  type DecidedHealth,
  isBad,
  type KeyStore,
  MICROS,
  monthOf,
  type Reservation,
  type UsageReader,
  usdText,
} from '@trawl/router';
import type { UpstreamObserver } from '@trawl/upstream';
import { measureText } from '../health/watch-health.ts';
import type { ProviderLane } from '../telemetry/provider-load.ts';
import type { FoundNews } from '../watches/make-run.ts';
import type { Alerts } from './alerts.ts';

/** Reports a key that a provider refused. */
export const keyAlerts = (alerts: Pick<Alerts, 'raise'>): Pick<UpstreamObserver, 'attempted'> => ({
  attempted: ({ slug }, code, keyTail) => {
    if (code !== 'invalid_credential') return;
    const which = keyTail === null ? '' : ` …${keyTail}`;
    alerts.raise({
      type: 'provider_key_refused',
      subject: `key${which} of ${slug}`,
      message: `${slug} refused its key${which}: replace it, or look at the account there.`,
      data: { provider: slug, key_tail: keyTail },
    });
  },
});

/** Reports what a run of a watch found. Each run is a subject of its own. */
export const newsAlerts =
  (alerts: Pick<Alerts, 'raise'>, publicUrl = '') =>
  ({ watchId, interactionId, news }: FoundNews): void =>
    alerts.raise({
      type: 'watch',
      subject: `watch ${watchId} ${interactionId}`,
      message: `Watch ${watchId} found ${news.count} new ${news.count === 1 ? 'item' : 'items'}.`,
      data: {
        watch_id: watchId,
        interaction_id: interactionId,
        news: news.count,
        url: `${publicUrl}/v1/watches/${watchId}/news?after=${news.after}`,
      },
    });

type Circuit = Pick<ProviderLane, 'provider' | 'operation' | 'breaker' | 'cause'>;

/** A circuit that did not close for this long is reported. */
const OPEN_MS = 300_000;

/**
 * Looks at circuits again and again, and reports those that are still open five minutes after they
 * were first seen open. A half-open circuit without traffic is not reported.
 * @param elapsed milliseconds of a monotonic clock
 */
export function createCircuitAlerts(
  alerts: Pick<Alerts, 'raise'>,
  elapsed: () => number,
): (lanes: readonly Circuit[]) => void {
  const openSince = new Map<string, number>();
  return (lanes) => {
    for (const { provider, operation, breaker, cause } of lanes) {
      const circuit = `${provider} ${operation}`;
      if (breaker === 'closed') openSince.delete(circuit);
      const since = openSince.get(circuit);
      if (breaker === 'open' && since === undefined) openSince.set(circuit, elapsed());
      if (breaker !== 'open' || since === undefined || elapsed() - since < OPEN_MS) continue;
      const minutes = Math.floor((elapsed() - since) / 60_000);
      alerts.raise({
        type: 'circuit_open',
        subject: `circuit of ${circuit}`,
        message: `The circuit of ${provider} (${operation}) has been open for ${minutes} minutes: ${cause ?? 'unknown'}.`,
        data: { provider, operation, cause, open_seconds: minutes * 60 },
      });
    }
  };
}

/** Reports providers whose answers went bad, as long as they are. */
export function raiseIll(
  alerts: Pick<Alerts, 'raise'>,
  health: ReadonlyMap<string, DecidedHealth>,
): void {
  for (const [provider, { state, since, measures }] of health) {
    if (state !== 'ill') continue;
    const reasons = measures.filter(isBad).map(measureText);
    const why = reasons.length > 0 ? `: ${reasons.join('; ')}` : '';
    alerts.raise({
      type: 'provider_health',
      subject: `health of ${provider}`,
      message: `The answers of ${provider} went bad${why}.`,
      data: { provider, since: isoTime(since), reasons },
    });
  }
}

/** Reports a store that records nothing, now and as long as it does not. */
export function createStoreAlerts(alerts: Pick<Alerts, 'raise'>) {
  let closedBecause: string | null = null;
  const look = (): void => {
    if (closedBecause === null) return;
    alerts.raise({
      type: 'store_closed',
      subject: 'store',
      message: `The store cannot record (${closedBecause}): requests are refused with 503 until it can.`,
      data: { reason: closedBecause },
    });
  };
  return {
    /** @param reason null = it records again */
    changed: (reason: string | null): void => {
      closedBecause = reason;
      look();
    },
    look,
  };
}

/** Budgets that are remembered until they are looked at. */
const BUDGETS_MAX = 1_000;
const LEVELS = [100, 80] as const;

export interface BudgetAlertOptions {
  readonly alerts: Pick<Alerts, 'raise' | 'isQuiet'>;
  readonly spentMicros: UsageReader['spentMicros'];
  readonly keys: Pick<KeyStore, 'keyName' | 'findProject'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Reports budgets of which 80 or 100 % are spent. Requests only note which budgets they used; what
 * was spent is read later. A budget that refuses a request counts as used up, whatever is spent:
 * the rest is too little.
 */
export function createBudgetAlerts({ alerts, spentMicros, keys, now }: BudgetAlertOptions) {
  const noted = new Map<string, { budget: Budget; isRefused: boolean }>();
  const note = (budget: Budget, isRefused: boolean): void => {
    // a budget of zero blocks a key on purpose
    if (budget.limitMicros <= 0) return;
    const id = `${budget.owner.kind} ${budget.owner.id}`;
    const before = noted.get(id);
    if (before === undefined && noted.size >= BUDGETS_MAX) return;
    noted.set(id, { budget, isRefused: isRefused || before?.isRefused === true });
  };
  const noting = (budgets: readonly Budget[], reservation: Reservation): Reservation => ({
    ...reservation,
    settle: (micros) => {
      reservation.settle(micros);
      for (const budget of budgets) note(budget, false);
    },
  });
  const check = async (budget: Budget, isRefused: boolean): Promise<void> => {
    const { owner, limitMicros } = budget;
    const { from, to } = monthOf(now());
    const spent = await spentMicros(owner, isoTime(from), isoTime(to));
    const share = Math.floor((spent / limitMicros) * 100);
    const level = LEVELS.find((one) => share >= one || isRefused);
    if (level === undefined) return;
    const month = isoTime(from).slice(0, 7);
    const subject = `budget of ${owner.kind} ${owner.id} ${month} ${level} %`;
    if (alerts.isQuiet(subject)) return;
    const name = await nameOf(budget, keys);
    alerts.raise({
      type: 'budget',
      subject,
      message: `${share} % of the monthly budget of ${owner.kind} ${name ?? owner.id} is spent: ${usdText(spent)} of ${usdText(limitMicros)}${isRefused ? '; it refuses requests' : ''}. It starts again on ${isoTime(to).slice(0, 10)} (UTC).`,
      data: {
        scope: owner.kind,
        id: owner.id,
        name: name ?? null,
        level,
        month,
        spent_usd: spent / MICROS,
        limit_usd: limitMicros / MICROS,
        refuses: isRefused,
      },
    });
  };
  return {
    /** The same budgets, which note who used them. */
    observe: (budgets: BudgetStore): BudgetStore => ({
      ...budgets,
      reserve: async (asked, micros, at) => {
        const reserved = await budgets.reserve(asked, micros, at);
        if ('reservation' in reserved) {
          return { reservation: noting(asked, reserved.reservation) };
        }
        note(reserved.overspent.budget, true);
        return reserved;
      },
    }),
    /** What cannot be read now is looked at the next time. */
    look: async (): Promise<void> => {
      const found = [...noted.values()];
      noted.clear();
      for (const { budget, isRefused } of found) {
        await check(budget, isRefused).catch(() => note(budget, isRefused));
      }
    },
  };
}

/** The name of a project, or the label of a key that lists show. */
async function nameOf(
  { owner }: Budget,
  keys: BudgetAlertOptions['keys'],
): Promise<string | undefined> {
  if (owner.kind === 'project') return (await keys.findProject(owner.id))?.name;
  return keys.keyName(owner.id);
}
