import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/**
 * The rows of a query in the order of their key, page by page; each page is a statement of its own.
 * @param key columns that no two rows have in common
 * @param sizeOf rows of a page, which is counted from 0; a page with fewer is the last one
 */
export async function* pages<Database, From extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, From, Row>,
  key: readonly (keyof Row & string)[],
  sizeOf: (page: number) => number,
): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let next = query;
  for (let page = 0; ; page += 1) {
    const size = sizeOf(page);
    const rows = await next.orderBy(columns).limit(size).execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    const values = sql.join(key.map((column) => last[column]));
    next = query.where(sql<SqlBool>`(${columns}) > (${values})`);
  }
}

/** As `pages`, row by row. */
export async function* rowsInPages<Database, From extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, From, Row>,
  key: readonly (keyof Row & string)[],
  size: number,
): AsyncGenerator<Row> {
  for await (const page of pages(query, key, () => size)) yield* page;
}
