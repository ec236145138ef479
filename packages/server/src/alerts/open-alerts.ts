import type { Clock, Closers } from '@trawl/base';
import type { BudgetStore, DecidedHealth } from '@trawl/router';
import type { Store } from '@trawl/store';
import type { UpstreamObserver } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ProviderLane } from '../telemetry/provider-load.ts';
import type { FoundNews } from '../watches/make-run.ts';
import { createAlerts } from './alerts.ts';
import {
  createBudgetAlerts,
  createCircuitAlerts,
  createStoreAlerts,
  keyAlerts,
  newsAlerts,
  raiseIll,
} from './conditions.ts';
import type { Webhook } from './webhook.ts';

/** Where a running server says what alerts are about. */
export interface AlertObservers {
  readonly upstream: Pick<UpstreamObserver, 'attempted'>;
  /** The same budgets, which note who used them. */
  readonly observeBudgets: (budgets: BudgetStore) => BudgetStore;
  /** @param reason null = the store records again */
  readonly storeChanged: (reason: string | null) => void;
  /** A watch found something new. */
  readonly foundNews: (found: FoundNews) => void;
  /** Begins to look at circuits, budgets and the health of providers. */
  readonly start: (
    lanes: () => readonly ProviderLane[],
    health: () => ReadonlyMap<string, DecidedHealth>,
  ) => void;
}

interface AlertsContext {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly store: Pick<Store, 'alerts' | 'usage' | 'keys'>;
  readonly closers: Closers;
}

const LOOK_MS = 15_000;

/** The operator's webhook; undefined = no alerts are sent. */
export const webhookOf = ({
  alertWebhookUrl: url,
  alertWebhookSecret: secret,
}: Pick<Config, 'alertWebhookUrl' | 'alertWebhookSecret'>): Webhook | undefined =>
  url === undefined || secret === undefined ? undefined : { url, secret };

/** undefined = no webhook is set. */
export function openAlerts(context: AlertsContext): AlertObservers | undefined {
  const { config, log, clock, store, closers } = context;
  const webhook = webhookOf(config);
  if (!webhook) return undefined;
  const { publicUrl } = config;
  const alerts = createAlerts({ webhook, alertLog: store.alerts, clock, log, publicUrl });
  closers.push(alerts.stop);
  const { spentMicros } = store.usage;
  const budgets = createBudgetAlerts({ alerts, spentMicros, keys: store.keys, now: clock.now });
  const storeAlerts = createStoreAlerts(alerts);
  return {
    upstream: keyAlerts(alerts),
    observeBudgets: budgets.observe,
    storeChanged: storeAlerts.changed,
    foundNews: newsAlerts(alerts, publicUrl),
    start: (lanes, health) => {
      const lookAtCircuits = createCircuitAlerts(alerts, () => performance.now());
      let isLooking = false;
      const look = async (): Promise<void> => {
        storeAlerts.look();
        lookAtCircuits(lanes());
        raiseIll(alerts, health());
        if (isLooking) return;
        isLooking = true;
        await budgets.look();
        isLooking = false;
      };
      const timer = setInterval(look, LOOK_MS).unref();
      closers.push(() => clearInterval(timer));
    },
  };
}
