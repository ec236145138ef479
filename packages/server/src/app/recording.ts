import { randomBytes } from 'node:crypto';
import type { Clock, Closers, OutageLog } from '@trawl/base';
import { agreementsOfOneServer, createIdempotency } from '@trawl/router';
import { createInteractionStore, createRetention, openFault, type Store } from '@trawl/store';
import { type Metrics, observedStore } from '@trawl/telemetry';
import type { Logger } from 'pino';
import { ensureBootstrapKey } from '../admin/key-admin.ts';
import type { AlertObservers } from '../alerts/open-alerts.ts';
import type { Config } from '../config/config.ts';

/** Durations on a database that several servers share, in milliseconds. */
export interface LeaseTimes {
  /**
   * After which a lease of a server that ended is over. Default: the deadline of a request and 30
   * s.
   */
  readonly leaseMs?: number;
  /** How long a repeat waits for the answer of another server. */
  readonly waitMs?: number;
}

export interface RecordingOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly outages: OutageLog;
  readonly metrics: Metrics | undefined;
  readonly leases?: LeaseTimes | undefined;
  /** undefined = no alerts are sent. */
  readonly alerts?: AlertObservers | undefined;
  readonly closers: Closers;
}

/** For what follows the deadline: recording, and a machine under load. */
const LEASE_MARGIN_MS = 30_000;
/** A repeat's wait is part of its deadline: what is left must do for its own execution. */
const WAIT_MS = 20_000;

/** Prepares the store to record payments. */
export async function startRecording(store: Store, options: RecordingOptions) {
  const { config, log, clock, outages, metrics, alerts, closers } = options;
  const onChanged = alerts?.storeChanged;
  const made = createInteractionStore({ store, now: clock.now, log, outages, onChanged });
  const observed = metrics && observedStore(made, metrics.committed);
  const interactions = observed?.store ?? made;
  if (observed) metrics.connect({ backlog: observed.backlog });
  const { requestDeadlineMs: deadlineMs } = config;
  const { leaseMs = deadlineMs + LEASE_MARGIN_MS, waitMs = Math.min(WAIT_MS, deadlineMs / 2) } =
    options.leases ?? {};
  const unbooked = interactions.unbookedLeaseIds;
  const { budgets, repeats, stop } =
    store.openLeases?.({ leaseMs, unbooked, outages }) ??
    agreementsOfOneServer({ usage: store.usage, reader: store.reader, interactions, clock });
  closers.push(stop);
  // before the leases end, which keep the money of calls that it books
  closers.push(interactions.stop);
  const [prepared] = await Promise.all([
    prepareStore(config, store, clock),
    // starts the recorder, so the first request does not wait for it, and detects a store that
    // cannot be written
    interactions.start(),
  ]);
  const { sweeps } = store;
  const retention = createRetention({ sweeps, days: config.retentionDays, now: clock.now, log });
  retention.start();
  closers.push(retention.stop);
  return {
    ...prepared,
    interactions,
    budgets: alerts?.observeBudgets(budgets) ?? budgets,
    idempotency: createIdempotency({ reader: store.reader, claims: repeats, waitMs }),
  };
}

/** Creates the rows that a server needs in the store, and returns what they say. */
async function prepareStore(config: Config, store: Store, clock: Clock) {
  try {
    if (config.bootstrapApiKey) await ensureBootstrapKey(store.keys, clock, config.bootstrapApiKey);
    const secret = randomBytes(32).toString('base64url');
    return {
      instanceId: config.instanceId ?? (await store.setting('instance_id', clock.newId())),
      // the same for all servers of a database, so that they serve what the others recorded
      fingerprintSecret: await store.setting('search_fingerprint_secret', secret),
    };
  } catch (error) {
    throw openFault(config, error);
  }
}
