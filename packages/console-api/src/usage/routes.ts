import { type Clock, DAY_MS, isoTime, jsonText } from '@trawl/base';
import type { ProjectUsage, SpendingKey } from '@trawl/contract/console';
import {
  type KeyStore,
  MICROS,
  type NamedKey,
  type NamedKeyReader,
  readStore,
  type UsageReader,
  type UsageRow,
  usdOf,
} from '@trawl/router';
import { type ConsoleHandlers, personOf } from '../serving/handler.ts';
import { roleIn } from '../serving/person.ts';
import { type DaysRange, spanOf } from '../serving/span.ts';

export interface UsageOptions {
  readonly usage: UsageReader;
  readonly namedKeys: NamedKeyReader;
  readonly keys: Pick<KeyStore, 'listProjects' | 'findProject'>;
  readonly clock: Clock;
}

/** More keys than a project has; the rows of deleted ones included. */
const KEYS_MAX = 100_000;
const LENGTH = { usualMs: 30 * DAY_MS, daysMax: 400 };

/** What `/v1/usage` does not answer: budgets, the names of keys, and several projects at once. */
export function usageRoutes({
  usage,
  namedKeys,
  keys,
  clock,
}: UsageOptions): Pick<ConsoleHandlers, 'readSpending' | 'listProjectUsage'> {
  return {
    readSpending: async ({ params: { project_id: projectId } }) => {
      const now = clock.now();
      const month = monthOf(now);
      const span = { from: isoTime(month.from), to: isoTime(month.to) };
      const recent = { from: isoTime(now - RATE_DAYS * DAY_MS), to: isoTime(now) };
      const [project, names, spent, spentRecently] = await readStore(() =>
        Promise.all([
          keys.findProject(projectId),
          namedKeys(projectId),
          byKey(usage, projectId, span),
          byKey(usage, projectId, recent),
        ]),
      );
      const rows = [...spent.values()];
      const budget = project?.limits?.monthlyBudgetMicros ?? null;
      const figures = { spent: micros(rows), recent: micros([...spentRecently.values()]), now };
      return {
        text: jsonText({
          ...span,
          ...monthly(budget, figures),
          unpriced_calls: rows.reduce((sum, row) => sum + row.unpricedCalls, 0),
          keys: names
            .map((key) => spendingKey(key, spent, spentRecently, now))
            .sort((a, b) => a.name.localeCompare(b.name, 'en')),
        }),
      };
    },
    listProjectUsage: async ({ query }, context) => {
      const person = personOf(context);
      const span = spanOf(query, clock.now(), LENGTH);
      const projects = await readStore(() => keys.listProjects());
      const rows: ProjectUsage[] = [];
      for (const { id, name } of projects) {
        if (roleIn(person, id) === null) continue;
        const owner = { kind: 'project', id } as const;
        const [row] = await readStore(() => usage.usage(owner, { ...span, groups: [], limit: 1 }));
        rows.push(projectUsage(id, name, row));
      }
      rows.sort((a, b) => a.name.localeCompare(b.name, 'en'));
      return { text: jsonText({ ...span, rows }) };
    },
  };
}

async function byKey(
  usage: UsageReader,
  projectId: string,
  span: DaysRange,
): Promise<ReadonlyMap<string, UsageRow>> {
  const owner = { kind: 'project', id: projectId } as const;
  const rows = await usage.usage(owner, { ...span, groups: ['key_id'], limit: KEYS_MAX });
  return new Map(rows.map((row) => [row.group.key_id ?? '', row]));
}

const micros = (rows: readonly UsageRow[]): number =>
  rows.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0);

interface Figures {
  readonly spent: number;
  /** Of the last days. */
  readonly recent: number;
  readonly now: number;
}

const monthly = (budgetMicros: number | null, { spent, recent, now }: Figures) => ({
  budget_usd: usdOf(budgetMicros),
  spent_usd: spent / MICROS,
  projected_usd: projectedMicros(spent, recent, now) / MICROS,
});

function spendingKey(
  key: NamedKey,
  spent: ReadonlyMap<string, UsageRow>,
  recent: ReadonlyMap<string, UsageRow>,
  now: number,
): SpendingKey {
  const figures = {
    spent: spent.get(key.id)?.costMicros ?? 0,
    recent: recent.get(key.id)?.costMicros ?? 0,
    now,
  };
  return {
    key_id: key.id,
    name: key.name,
    state: stateOf(key, now),
    ...monthly(key.monthlyBudgetMicros, figures),
  };
}

function stateOf(key: NamedKey, now: number): SpendingKey['state'] {
  if (key.isHidden) return 'console';
  if (key.deletedAt !== null) return 'deleted';
  if (key.revokedAt !== null && Date.parse(key.revokedAt) <= now) return 'revoked';
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return 'expired';
  return key.disabledAt === null ? 'active' : 'disabled';
}

const projectUsage = (id: string, name: string, row: UsageRow | undefined): ProjectUsage => ({
  project_id: id,
  name,
  calls: row?.calls ?? 0,
  unpriced_calls: row?.unpricedCalls ?? 0,
  cost_usd: usdOf(row?.costMicros ?? null),
});

/** The rate of this many days goes on until the end of the month. */
const RATE_DAYS = 7;

/** A month in UTC, in milliseconds since 1970. */
interface Month {
  readonly from: number;
  /** The start of the next one. */
  readonly to: number;
}

export function monthOf(now: number): Month {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/**
 * What a month will have cost at its end: what was spent, and the rate of the last days for the
 * time that is left.
 * @param recentMicros what was spent in the last `RATE_DAYS` days
 */
export function projectedMicros(spentMicros: number, recentMicros: number, now: number): number {
  const leftMs = monthOf(now).to - now;
  return Math.round(spentMicros + (recentMicros / (RATE_DAYS * DAY_MS)) * leftMs);
}
