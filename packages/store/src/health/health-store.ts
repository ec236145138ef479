import { isoTime } from '@trawl/base';
import { HEALTH_STATES } from '@trawl/contract';
import type { OpenDatabase, ProviderAnswersTable, ProviderHealthTable } from '@trawl/database';
import type { HealthAnswer, KeptHealth } from '@trawl/router';
import { type Selectable, sql } from 'kysely';
import { databaseTime } from '../retention/sweeps.ts';

/** What is counted of the answers of providers, and their state. */
export interface HealthStore {
  /** Providers that answered, or whose state is kept. */
  providers(): Promise<readonly string[]>;
  /** The newest answers of a provider, newest first. */
  newest(provider: string, limit: number): Promise<readonly HealthAnswer[]>;
  /** Those of a time, newest first. Milliseconds since 1970. */
  between(provider: string, from: number, to: number): Promise<readonly HealthAnswer[]>;
  /** Those of a project whose interactions are still there, newest first. */
  ofProject(provider: string, projectId: string, limit: number): Promise<readonly HealthAnswer[]>;
  /** By provider. */
  kept(): Promise<ReadonlyMap<string, KeptHealth>>;
  /** Whether it was stored: not where another server stored another state since. */
  keep(provider: string, before: KeptHealth | undefined, next: KeptHealth): Promise<boolean>;
  /** Deletes what is older, and thins out busy days: by chance, so that their shares stay. */
  thin(provider: string, from: number): Promise<void>;
  /** The time that answers are counted by: on PostgreSQL that of the database. */
  time(now: number): Promise<number>;
}

/** The newest answers all stay, and so many of each day before them. */
const NEWEST_KEPT = 400;
const KEPT_A_DAY = 100;
/** Where the part of a run's id begins that is chance. */
const CHANCE_AT = 31;

/** @param writes may wait for the recorder; the reads of others do not wait with them */
export function createHealthStore(
  { db, isEmbedded }: Pick<OpenDatabase, 'db' | 'isEmbedded'>,
  writes: Pick<OpenDatabase, 'db'>,
): HealthStore {
  const answers = (provider: string) =>
    db
      .selectFrom('provider_answers')
      .selectAll()
      .where('provider', '=', provider)
      .orderBy('answered_at', 'desc')
      .orderBy('id', 'desc');
  const read = async (query: ReturnType<typeof answers>) => (await query.execute()).map(answerOf);
  return {
    providers: async () => {
      // one step of the index for each name, however many answers there are
      const { rows } = await sql<{ provider: string }>`
        with recursive names (provider) as (
          select min(provider) from provider_answers
          union all
          select (select min(later.provider) from provider_answers later
            where later.provider > names.provider)
          from names where names.provider is not null)
        select provider from names where provider is not null
        union select provider from provider_health order by 1`.execute(db);
      return rows.map(({ provider }) => provider);
    },
    newest: (provider, limit) => read(answers(provider).limit(limit)),
    between: (provider, from, to) =>
      read(
        answers(provider)
          .where('answered_at', '>=', isoTime(from))
          .where('answered_at', '<', isoTime(to)),
      ),
    ofProject: (provider, projectId, limit) =>
      read(
        answers(provider)
          .where('project_id', '=', projectId)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('interactions')
                .select('interactions.id')
                .whereRef('interactions.id', '=', 'provider_answers.interaction_id'),
            ),
          )
          .limit(limit),
      ),
    kept: async () => {
      const rows = await db.selectFrom('provider_health').selectAll().execute();
      return new Map(rows.map((row) => [row.provider, keptOf(row)]));
    },
    keep: async (provider, before, next) => {
      const row = rowOf(next);
      if (before === undefined) {
        const { numInsertedOrUpdatedRows } = await writes.db
          .insertInto('provider_health')
          .values({ provider, ...row })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const { state, since, counts_from } = rowOf(before);
      const { numUpdatedRows } = await writes.db
        .updateTable('provider_health')
        .set(row)
        .where('provider', '=', provider)
        .where('state', '=', state)
        .where('since', '=', since)
        .where('counts_from', '=', counts_from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    time: (now) => (isEmbedded ? Promise.resolve(now) : databaseTime(db)),
    thin: async (provider, from) => {
      await sql`delete from provider_answers where provider = ${provider} and (
        answered_at < ${isoTime(from)}
        or id in (
          select id from (
            select id,
              row_number() over (order by answered_at desc) as age,
              row_number() over (
                partition by substr(answered_at, 1, 10) order by substr(id, ${CHANCE_AT}), id
              ) as place
            from provider_answers where provider = ${provider}
          ) as placed where age > ${NEWEST_KEPT} and place > ${KEPT_A_DAY}
        ))`.execute(writes.db);
    },
  };
}

const answerOf = (row: Selectable<ProviderAnswersTable>): HealthAnswer => ({
  answeredAt: Date.parse(row.answered_at),
  projectId: row.project_id,
  interactionId: row.interaction_id,
  othersFound: row.others_found === null ? null : row.others_found === 1,
  asked: row.asked,
  rows: row.found,
  fields: row.fields,
  filled: row.filled,
});

const keptOf = (row: ProviderHealthTable): KeptHealth => ({
  state: HEALTH_STATES.find((state) => state === row.state) ?? 'unknown',
  since: Date.parse(row.since),
  countsFrom: Date.parse(row.counts_from),
  ill:
    row.ill_from === null
      ? null
      : {
          from: Date.parse(row.ill_from),
          to: row.ill_to === null ? null : Date.parse(row.ill_to),
          by: row.ill_by?.split(',').filter((name) => name !== '') ?? [],
        },
});

const rowOf = ({ state, since, countsFrom, ill }: KeptHealth) => ({
  state,
  since: isoTime(since),
  counts_from: isoTime(countsFrom),
  ill_from: ill && isoTime(ill.from),
  ill_to: ill?.to == null ? null : isoTime(ill.to),
  ill_by: ill === null ? null : ill.by.join(),
});
