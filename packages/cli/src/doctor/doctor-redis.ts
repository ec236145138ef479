import type { RedisCheck } from '@trawl/redis';
import type { Config } from '@trawl/server';
import type { DoctorCheck } from './doctor-check.ts';

/** Whether Redis answers and takes writes; nothing where none is set. */
export async function checkSharedRedis({
  redisUrl,
}: Pick<Config, 'redisUrl'>): Promise<readonly DoctorCheck[]> {
  if (redisUrl === undefined) return [];
  const { checkRedis } = await import('@trawl/redis');
  return [{ check: 'redis', ...describe(await checkRedis(redisUrl)) }];
}

/** Policies under which a full Redis drops what still counts. */
const keepsAll = (policy: string | null): boolean => policy === null || policy === 'noeviction';

function describe(found: RedisCheck): Omit<DoctorCheck, 'check'> {
  if (found.kind === 'fails') {
    const message = `does not answer at ${found.address} (${found.cause}): check REDIS_URL; until it answers, each process limits, caches and cools down separately`;
    return { state: 'problem', message };
  }
  const version = found.version === null ? '' : ` (${found.version})`;
  if (keepsAll(found.evictionPolicy)) {
    return { state: 'ok', message: `answers and takes writes${version}` };
  }
  const message = `answers, but drops keys when its memory is full (maxmemory-policy ${found.evictionPolicy}), so rate limits may let more through: set it to noeviction`;
  return { state: 'warning', message };
}
