import { HOUR_MS, isoTime } from '@trawl/base';
import { type ConsoleKey, KEY_USAGE_HOURS } from '@trawl/contract/console';
import { type ApiKey, type KeyStore, MICROS, type UsageReader } from '@trawl/router';
import { keyJson } from '@trawl/server';
import type { KeyFacts, KeyHour, KeyUsageReader } from '@trawl/store';
import { FAILURE_HOURS, keyStatus } from './key-status.ts';

export interface KeyReads {
  readonly keys: Pick<KeyStore, 'listKeys' | 'listProjects'>;
  readonly usage: Pick<UsageReader, 'usage'>;
  readonly keyUsage: KeyUsageReader;
}

export interface KeyViews {
  /** When the first hour of each usage begins. */
  readonly usageFrom: string;
  /** Those that still work first, then the newest. */
  readonly keys: readonly ConsoleKey[];
}

const MINUTE_MS = 60_000;
/** More keys than a project has in a month. */
const SPENDERS_MAX = 10_000;

/** All keys of a project with their use, in one round of reads. */
export async function keyViews(
  { keys, usage, keyUsage }: KeyReads,
  projectId: string,
  now: number,
): Promise<KeyViews> {
  const first = Math.floor(now / HOUR_MS) - KEY_USAGE_HOURS + 1;
  const usageFrom = isoTime(first * HOUR_MS);
  const project = { kind: 'project', id: projectId } as const;
  const [found, projects, facts, hours, recent, spending] = await Promise.all([
    keys.listKeys(projectId),
    keys.listProjects(),
    keyUsage.facts(projectId),
    keyUsage.hours(projectId, usageFrom, isoTime((first + KEY_USAGE_HOURS) * HOUR_MS)),
    keyUsage.recentRequests(projectId, isoTime(now - MINUTE_MS)),
    usage.usage(project, { ...monthOf(now), groups: ['key_id'], limit: SPENDERS_MAX }),
  ]);
  const spentBy = new Map(spending.map((row) => [row.group.key_id, row.costMicros ?? 0]));
  const limits = projects.find(({ id }) => id === projectId)?.limits;
  const context: ViewContext = {
    now,
    firstHour: first,
    facts,
    hours,
    recent,
    spentBy,
    projectSpent: [...spentBy.values()].reduce((sum, micros) => sum + micros, 0),
    projectBudgetMicros: limits?.monthlyBudgetMicros ?? null,
    successors: new Map(found.map((key) => [key.rotatedFrom, key.id])),
  };
  return { usageFrom, keys: found.map((key) => viewOf(key, context)).toReversed() };
}

interface ViewContext {
  readonly now: number;
  /** In hours since 1970. */
  readonly firstHour: number;
  readonly facts: ReadonlyMap<string, KeyFacts>;
  readonly hours: readonly KeyHour[];
  readonly recent: ReadonlyMap<string, number>;
  readonly spentBy: ReadonlyMap<string | null | undefined, number>;
  readonly projectSpent: number;
  readonly projectBudgetMicros: number | null;
  /** By the id of the key that is replaced. */
  readonly successors: ReadonlyMap<string | null, string>;
}

function viewOf(key: ApiKey, context: ViewContext): ConsoleKey {
  const { now, facts, recent, spentBy, projectSpent, projectBudgetMicros, successors } = context;
  const { lastUsedAt = null, createdByName = null } = facts.get(key.id) ?? {};
  const usage = usageOf(key.id, context);
  const replacedBy = successors.get(key.id) ?? null;
  const spent = spentBy.get(key.id) ?? 0;
  return {
    ...keyJson(key),
    permissions: [...key.permissions],
    profile: key.profile,
    created_by: key.createdBy === null ? null : { id: key.createdBy, name: createdByName },
    spent_usd: spent / MICROS,
    last_used_at: lastUsedAt,
    replaced_by: replacedBy,
    status: keyStatus({
      key,
      now,
      replacedBy,
      spent: { key: spent, project: projectSpent },
      projectBudgetMicros,
      recentRequests: recent.get(key.id) ?? 0,
      calls: { succeeded: lastHours(usage.succeeded), failed: lastHours(usage.failed) },
      lastUsedAt,
    }),
    usage,
  };
}

function usageOf(keyId: string, { hours, firstHour }: ViewContext): ConsoleKey['usage'] {
  const succeeded = new Array<number>(KEY_USAGE_HOURS).fill(0);
  const failed = new Array<number>(KEY_USAGE_HOURS).fill(0);
  for (const row of hours) {
    if (row.keyId !== keyId) continue;
    const index = Date.parse(`${row.hour}:00:00.000Z`) / HOUR_MS - firstHour;
    succeeded[index] = row.succeeded;
    failed[index] = row.failed;
  }
  return { succeeded, failed };
}

const lastHours = (counts: readonly number[]): number =>
  counts.slice(-FAILURE_HOURS).reduce((sum, count) => sum + count, 0);

/** The calendar month of a time, in UTC. */
function monthOf(now: number): { readonly from: string; readonly to: string } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: isoTime(Date.UTC(year, month)), to: isoTime(Date.UTC(year, month + 1)) };
}
