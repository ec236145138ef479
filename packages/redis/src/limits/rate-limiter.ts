import { MINUTE_MS, type RateLimiter, type RateStanding, tightest } from '@trawl/base';
import { AWAY, type RedisLink } from '../connection/link.ts';
import { script } from '../connection/script.ts';

/** Requests are counted by the second in which they came. */
const CELL_MS = 1_000;
/** The seconds that are at least partly in the last minute. */
const CELLS = MINUTE_MS / CELL_MS + 1;

/**
 * Keys: for each allowance a hash of counts by second. Values: their limits. Takes one of all, or
 * of none. The clock is that of Redis, since those of replicas may differ. Returns whether it was
 * taken, then for each allowance its count and the milliseconds until it has a place more than now.
 */
const take = script(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cell = math.floor(now / ${CELL_MS})
local oldest = cell - ${CELLS - 1}
local sums, counts, over, taken = {}, {}, {}, 1
for i, key in ipairs(KEYS) do
  sums[i], counts[i], over[i] = 0, {}, {}
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local at, count = tonumber(fields[f]), tonumber(fields[f + 1])
    if at and count and at >= oldest and at <= cell then
      counts[i][at] = count
      sums[i] = sums[i] + count
    else
      table.insert(over[i], fields[f])
    end
  end
  if sums[i] >= tonumber(ARGV[i]) then taken = 0 end
end
local reply = {taken}
for i, key in ipairs(KEYS) do
  if taken == 1 then
    if #over[i] > 0 then redis.call('HDEL', key, unpack(over[i])) end
    redis.call('HINCRBY', key, cell, 1)
    redis.call('PEXPIRE', key, ${CELLS * CELL_MS})
    counts[i][cell] = (counts[i][cell] or 0) + 1
    sums[i] = sums[i] + 1
  end
  local place = math.max(0, sums[i] - tonumber(ARGV[i])) + 1
  local seen, wait = 0, 0
  for at = oldest, cell do
    seen = seen + (counts[i][at] or 0)
    if seen >= place then
      wait = (at + ${CELLS}) * ${CELL_MS} - now
      break
    end
  end
  reply[#reply + 1] = sums[i]
  reply[#reply + 1] = wait
end
return reply
`);

/**
 * Counts over all replicas, in one round trip. No minute has more requests than a limit; a place is
 * free again up to one second later than after a minute, since seconds are counted whole.
 * @param local decides while Redis is away. It counts all that is taken here, so it knows the last
 * minute of this process then
 */
export function createSharedRateLimiter(link: RedisLink, local: RateLimiter): RateLimiter {
  return {
    async take(allowances) {
      const keys = allowances.map(({ id }) => link.key(`rate:${id}`));
      const limits = allowances.map(({ perMinute }) => String(perMinute));
      const reply = await link.ask('rate_limit', (send) => take(send, keys, limits));
      const shared = reply === AWAY ? undefined : readStanding(reply, allowances);
      if (shared?.isAllowed === false) return shared;
      const own = await local.take(allowances);
      return shared ?? own;
    },
  };
}

/** undefined = not a reply of the script. */
function readStanding(
  reply: unknown,
  allowances: readonly { readonly perMinute: number }[],
): RateStanding | undefined {
  if (!Array.isArray(reply) || reply.length !== 1 + 2 * allowances.length) return undefined;
  const [taken, ...figures] = reply.map(Number);
  if (!figures.every(Number.isFinite)) return undefined;
  const isAllowed = taken === 1;
  const standings = allowances.map(({ perMinute }, index): RateStanding => {
    const [sum = 0, waitMs = 0] = figures.slice(2 * index, 2 * index + 2);
    const remaining = Math.max(0, perMinute - sum);
    return { isAllowed, limit: perMinute, remaining, resetMs: Math.max(0, waitMs) };
  });
  return tightest(standings);
}
