import { apiKey, at } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import { keyStatus, type StatusFacts } from '../src/keys/key-status.ts';
import { keyViews } from '../src/keys/key-views.ts';
import { monthOf, projectedMicros } from '../src/usage/routes.ts';

const NOW = Date.parse('2026-01-20T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const iso = (time: number) => new Date(time).toISOString();

const statusOf = ({
  key,
  ...facts
}: Partial<Omit<StatusFacts, 'key'>> & { key?: Parameters<typeof apiKey>[1] }) =>
  keyStatus({
    key: apiKey('project', key),
    now: NOW,
    replacedBy: null,
    spent: { key: 0, project: 0 },
    projectBudgetMicros: null,
    recentRequests: 0,
    calls: { succeeded: 0, failed: 0 },
    lastUsedAt: null,
    ...facts,
  });
const codeOf = (facts: Parameters<typeof statusOf>[0]) => statusOf(facts).code;

describe('the status of a key', () => {
  it('is that of what ended it, before anything else', () => {
    const busy = { spent: { key: 10, project: 0 }, calls: { succeeded: 0, failed: 99 } };
    const ended = { expiresAt: iso(NOW - 1), monthlyBudgetMicros: 1 };
    expect(statusOf({ ...busy, key: { ...ended, revokedAt: at(0), disabledAt: at(0) } })).toEqual({
      code: 'revoked',
      reason: 'It was revoked on 2026-01-01 (UTC) and is refused.',
    });
    expect(statusOf({ ...busy, key: { ...ended, disabledAt: at(0) } }).code).toBe('disabled');
    expect(statusOf({ ...busy, key: ended })).toEqual({
      code: 'expired',
      reason: 'It expired on 2026-01-20 (UTC) and is refused.',
    });
    expect(statusOf({ key: ended, replacedBy: 'x' }).reason).toMatch(
      /^It was rotated and ended on/,
    );
    expect(codeOf({ key: { expiresAt: iso(NOW) } })).toBe('expired');
  });

  it('is soon expired in the last seven days', () => {
    const ends = (time: number) => codeOf({ key: { expiresAt: iso(time) } });
    expect([ends(NOW + 1), ends(NOW + 7 * DAY_MS), ends(NOW + 7 * DAY_MS + 1)]).toEqual([
      'expires_soon',
      'expires_soon',
      'operational',
    ]);
    expect(
      statusOf({ key: { expiresAt: '2026-01-21T08:05:00.000Z' }, replacedBy: 'x' }).reason,
    ).toBe('It was rotated and ends on 2026-01-21 at 08:05 (UTC).');
  });

  it('is by its own budget, then by that of its project', () => {
    const own = (key: number) =>
      codeOf({ key: { monthlyBudgetMicros: 1_000 }, spent: { key, project: 0 } });
    expect([own(799), own(800), own(999), own(1_000)]).toEqual([
      'operational',
      'nearly_out_of_budget',
      'nearly_out_of_budget',
      'out_of_budget',
    ]);
    const shared = (project: number) =>
      codeOf({ projectBudgetMicros: 1_000, spent: { key: 0, project } });
    expect([shared(799), shared(800), shared(999), shared(1_000)]).toEqual([
      'operational',
      'nearly_out_of_budget',
      'nearly_out_of_budget',
      'out_of_budget',
    ]);
    const both = { key: { monthlyBudgetMicros: 2_000_000 }, projectBudgetMicros: 3_000_000 };
    expect(statusOf({ ...both, spent: { key: 1_999_999, project: 2_000_000 } }).reason).toBe(
      'It spent $1.999999 of $2.00 this month (99 %).',
    );
    expect(statusOf({ ...both, spent: { key: 10, project: 2_500_000 } }).reason).toBe(
      'Its project spent $2.50 of $3.00 this month (83 %).',
    );
    expect(statusOf({ ...both, spent: { key: 1_800_000, project: 3_000_000 } })).toMatchObject({
      code: 'out_of_budget',
      reason: expect.stringMatching(/^Its project spent \$3\.00 of \$3\.00/),
    });
  });

  it('is at its rate limit from the last request on', () => {
    const recent = (recentRequests: number) => codeOf({ key: { rateLimit: 60 }, recentRequests });
    expect([recent(59), recent(60)]).toEqual(['operational', 'rate_limited']);
    expect(codeOf({ recentRequests: 9_999 })).toBe('operational');
  });

  it('shows elevated failures from five, and a quarter of all', () => {
    const calls = (succeeded: number, failed: number) => codeOf({ calls: { succeeded, failed } });
    expect([calls(0, 4), calls(0, 5), calls(15, 5), calls(16, 5)]).toEqual([
      'operational',
      'elevated_failures',
      'elevated_failures',
      'operational',
    ]);
    expect(statusOf({ calls: { succeeded: 10, failed: 6 } }).reason).toBe(
      '6 of its 16 calls of providers in the last 6 hours failed.',
    );
  });

  it('says whether it was used', () => {
    expect(statusOf({}).reason).toMatch(/was not used yet/);
    expect(statusOf({ lastUsedAt: at(0) }).reason).toMatch(/few of its calls fail/);
  });
});

describe('the keys of a project as people see them', () => {
  const [first, second] = [
    apiKey('project', { id: 'first', monthlyBudgetMicros: 5_000 }),
    apiKey('project', { id: 'second', rotatedFrom: 'first', createdBy: 'ada', replaySession: 's' }),
  ];
  const asked: unknown[] = [];
  const hour = (back: number) => iso(NOW - back * HOUR_MS).slice(0, 13);
  const views = () =>
    keyViews(
      {
        keys: {
          listKeys: async () => [first, second],
          listProjects: async () =>
            ['other', 'project'].map((id) => ({
              ...{ id, name: id, createdAt: at(0) },
              limits: { rateLimit: null, monthlyBudgetMicros: id === 'project' ? 10_000 : 1 },
            })),
        },
        usage: {
          usage: async (...given) => {
            asked.push(given);
            return [
              { group: { key_id: 'first' }, costMicros: 4_000 },
              { group: { key_id: 'second' }, costMicros: 0 },
              { group: { key_id: 'deleted' }, costMicros: 2_500 },
              { group: { key_id: 'unpriced' }, costMicros: null },
            ] as never;
          },
        },
        keyUsage: {
          facts: async () => new Map([['second', { lastUsedAt: at(9), createdByName: 'Ada' }]]),
          hours: async (...span) => {
            asked.push(span);
            return [
              { keyId: 'second', hour: hour(0), succeeded: 1, failed: 2 },
              { keyId: 'second', hour: hour(5), succeeded: 3, failed: 4 },
              { keyId: 'second', hour: hour(6), succeeded: 50, failed: 60 },
              { keyId: 'first', hour: hour(1), succeeded: 7, failed: 0 },
            ];
          },
          recentRequests: async (...given) => {
            asked.push(given);
            return new Map([['second', 3]]);
          },
          calls: async () => [],
        },
      },
      'project',
      NOW + 5_000,
    );

  it('have their use of each hour, their spending, and what replaces them', async () => {
    const { keys, usageFrom } = await views();
    const [newer, older] = keys;
    const hours = older?.usage.succeeded.length ?? 0;
    expect(Date.parse(usageFrom)).toBe(NOW - (hours - 1) * HOUR_MS);
    expect(newer).toMatchObject({
      ...{ id: 'second', replaces: 'first', replaced_by: null, replay_session: 's' },
      ...{ spent_usd: 0, last_used_at: at(9), created_by: { id: 'ada', name: 'Ada' } },
      // six of its ten calls in six hours; what was before does not count
      status: { code: 'elevated_failures', reason: expect.stringMatching(/^6 of its 10 calls/) },
    });
    expect(newer?.usage.succeeded.slice(-7)).toEqual([50, 3, 0, 0, 0, 0, 1]);
    expect(newer?.usage.failed.slice(-7)).toEqual([60, 4, 0, 0, 0, 0, 2]);
    expect(older).toMatchObject({
      ...{ id: 'first', replaces: null, replaced_by: 'second', spent_usd: 0.004 },
      ...{ created_by: null, last_used_at: null },
      status: { code: 'nearly_out_of_budget' },
    });
    expect(older?.usage.succeeded.slice(-3)).toEqual([0, 7, 0]);
    expect(asked).toContainEqual(['project', iso(NOW + 5_000 - 60_000)]);
    expect(asked).toContainEqual(['project', usageFrom, iso(NOW + HOUR_MS)]);
    expect(asked).toContainEqual([
      { kind: 'project', id: 'project' },
      expect.objectContaining({ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }),
    ]);
  });
});

describe('what a month will have cost', () => {
  it('is what was spent, and the rate of seven days for the rest of the month', () => {
    const end = monthOf(NOW).to;
    expect(projectedMicros(1_000, 7_000, end - 10 * DAY_MS)).toBe(11_000);
    expect(projectedMicros(1_000, 7_000, end - 1)).toBe(1_000);
    expect(projectedMicros(0, 0, NOW)).toBe(0);
    expect(projectedMicros(0, 7, end - DAY_MS / 2)).toBe(1);
  });

  it('is of the calendar month in UTC', () => {
    expect(monthOf(Date.parse('2026-12-31T23:59:59.999Z'))).toEqual({
      from: Date.parse('2026-12-01T00:00:00.000Z'),
      to: Date.parse('2027-01-01T00:00:00.000Z'),
    });
    expect(monthOf(Date.parse('2026-02-01T00:00:00.000Z')).from).toBe(Date.UTC(2026, 1));
  });
});
