import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countRecords, figure, patient, percentile, startTrawl, type Trawl } from './support.ts';

const INTERACTIONS = 200_000;
const DAYS = 90;
const DAY_MS = 86_400_000;
const ROWS_AT_ONCE = 10_000;
const REQUESTS = 20;
const USERS = 100;
const PROVIDERS = ['exa', 'brave'];

const LIMIT_MS = 50;

describeOnDatabases('a large ledger', (database) => {
  let server: Trawl;
  let keyId: string;
  let projectId: string;

  beforeAll(async () => {
    server = await startTrawl({ database: database.name });
    await fillLedger();
  });
  afterAll(() => server.stop());

  /** Two calls for each interaction, evenly over the last days. */
  async function fillLedger(): Promise<void> {
    const { db, isEmbedded } = openDatabase(server.location, { connections: 1 });
    const key = await db
      .selectFrom('api_keys')
      .select(['id', 'project_id'])
      .executeTakeFirstOrThrow();
    keyId = key.id;
    projectId = key.project_id;
    const end = Date.now() - 1_000;
    const row = (index: number) => {
      const number = Math.floor(index / PROVIDERS.length);
      const time = end - Math.floor((number * DAYS * DAY_MS) / INTERACTIONS);
      const at = new Date(time).toISOString();
      const provider = PROVIDERS[index % PROVIDERS.length];
      return [`call-${index}`, `user-${number % USERS}`, `interaction-${number}`, provider, at];
    };
    const total = INTERACTIONS * PROVIDERS.length;
    for (let from = 0; from < total; from += ROWS_AT_ONCE) {
      const rows = Array.from({ length: ROWS_AT_ONCE }, (_, index) => row(from + index));
      const json = JSON.stringify(rows);
      const elements = isEmbedded
        ? sql`json_each(${json})`
        : sql`json_array_elements(${json}::json)`;
      await sql`
        insert into ledger (id, project_id, key_id, user_id, session_id, interaction_id, run_id,
          provider, created_at, calls, outcome, cost_micros, cost_source, batch_index)
        select value ->> 0, ${projectId}, ${keyId}, value ->> 1, value ->> 2, value ->> 2, value ->> 0,
          value ->> 3, value ->> 4, 1, 'succeeded', 5000, 'price_list', 0
        from ${elements}`.execute(db);
    }
    // on PostgreSQL a trigger did it
    if (isEmbedded) {
      await sql`
        insert into usage_days
          (project_id, users, day, key_id, provider, user_id, key_tail, calls, unpriced_calls,
            cost_micros)
        select project_id, users, substr(created_at, 1, 10), key_id, provider,
          case users when 'one' then user_id else '' end, '', sum(calls), 0, sum(cost_micros)
        from ledger cross join (select 'all' as users union all select 'one')
        group by 1, 2, 3, 4, 5, 6`.execute(db);
    }
    await db.destroy();
  }

  async function timed(query: string) {
    const times: number[] = [];
    let text = '';
    for (let turn = 0; turn < REQUESTS; turn += 1) {
      const answer = await server.call(`/v1/usage?${query}`);
      expect(answer.status, answer.text).toBe(200);
      times.push(answer.ms);
      text = answer.text;
    }
    const { rows } = JSON.parse(text) as { rows: readonly { calls: number }[] };
    const calls = rows.reduce((sum, row) => sum + row.calls, 0);
    return { p50: percentile(times, 0.5), max: percentile(times, 1), calls };
  }

  it('is summed up as fast as a small one', async () => {
    const row = `usage-${database.name === 'SQLite' ? 'sqlite' : 'postgres'}`;
    const today = new Date().toISOString().slice(0, 10);
    const from = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
    const records = await countRecords(server.location);
    expect(records.calls).toBe(INTERACTIONS * PROVIDERS.length);

    const usual = await timed('');
    const quarter = await timed(`from=${from}&to=${today}&group_by=day,provider,key_id`);
    const byUser = await timed(`from=${from}&to=${today}&group_by=user_id`);
    figure(row, 'ledger rows', records.rows);
    figure(row, 'default p50', usual.p50, 'ms');
    figure(row, 'default max', usual.max, 'ms');
    figure(row, '90 days by 3 groups p50', quarter.p50, 'ms');
    figure(row, '90 days by user p50', byUser.p50, 'ms');
    expect(quarter.calls).toBe(records.calls);
    expect(byUser.calls).toBe(records.calls);
    for (const { p50 } of [usual, quarter, byUser]) expect(p50).toBeLessThan(patient(LIMIT_MS));
  });
});
