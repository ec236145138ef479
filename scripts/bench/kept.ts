import type { Case } from './cases.ts';
import { connectionsOf, measure } from './load.ts';
import type { Target } from './measure-case.ts';

const WARM_UP_SECONDS = 1;
const SECONDS = 0.5;

/**
 * What a request leaves among the old objects, where only a full garbage collection removes it. It
 * is measured after such a collection: since that makes all objects old that live then, a table or
 * list of them may keep what comes later.
 * @returns bytes for each request; infinite when enough was kept that the engine made a full
 * collection meanwhile
 */
export async function keptBytes(
  { child, path, body, wantsEvents }: Target,
  { connections }: Case,
  key: string,
): Promise<number> {
  const request = { url: `${child.url}${path}`, key, body, wantsEvents, connections };
  const pool = connectionsOf(request);
  await measure({ ...request, pool, seconds: WARM_UP_SECONDS });
  const before = await child.collect();
  const { answers } = await measure({ ...request, pool, seconds: SECONDS });
  const after = await child.old();
  await pool.close();
  if (after.collections > 0) return Number.POSITIVE_INFINITY;
  return Math.max(0, after.bytes - before.bytes) / answers;
}
