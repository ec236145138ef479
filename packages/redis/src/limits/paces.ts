import { DAY_MS } from '@trawl/base';
import type { PaceStore, PaceTurn, WaitCause } from '@trawl/upstream';
import { AWAY, type RedisLink } from '../connection/link.ts';
import { script } from '../connection/script.ts';

/** Nothing is known of a lane that was not used for this long; longer than any span or silence. */
const KEPT_MS = 2 * DAY_MS;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Keys: the lane, its calls in flight. Values: time between calls, calls in flight, calls in a span
 * (0 = any number), length of the span, how long the turn may be away, how long the call takes, its
 * id. Times are milliseconds. Returns what became of it, the wait, and why.
 */
const takeTurn = script(`${NOW}
local names = {'next', 'span_ends', 'span_calls', 'silent', 'cause'}
local state = redis.call('HMGET', KEYS[1], unpack(names))
local next_at, span_ends = tonumber(state[1]) or 0, tonumber(state[2]) or 0
local span_calls, silent = tonumber(state[3]) or 0, tonumber(state[4]) or 0
local most = tonumber(ARGV[3])
if silent > now and state[5] ~= 'pace' then return {'late', silent - now, state[5] or 'rate_limited'} end
if most > 0 and span_ends > now and span_calls >= most then
  return {'late', span_ends - now, 'allowance'}
end
local wait = math.max(0, next_at - now, silent - now)
if wait > tonumber(ARGV[5]) then return {'late', wait, 'pace'} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[2]) then return {'busy', 0, 'pace'} end
local starts = now + wait
if starts >= span_ends then
  span_ends, span_calls = starts + tonumber(ARGV[4]), 0
end
redis.call('HSET', KEYS[1], 'next', starts + tonumber(ARGV[1]), 'span_ends', span_ends,
  'span_calls', span_calls + 1)
redis.call('ZADD', KEYS[2], starts + tonumber(ARGV[6]), ARGV[7])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${KEPT_MS}) end
return {'taken', wait, 'pace'}
`);

/**
 * The same keys. Values: id of the call, milliseconds of silence from now (0 = none), its cause.
 */
const endTurn = script(`${NOW}
redis.call('ZREM', KEYS[2], ARGV[1])
local silent = now + tonumber(ARGV[2])
if silent > math.max(now, tonumber(redis.call('HGET', KEYS[1], 'silent')) or 0) then
  redis.call('HSET', KEYS[1], 'silent', silent, 'cause', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
end
return 1
`);

/**
 * Turns of all replicas, in one round trip.
 * @param local decides while Redis is away. It counts all that is taken here, so it knows the turns
 * of this process then
 */
export function createSharedPaces(link: RedisLink, local: PaceStore): PaceStore {
  const keysOf = (lane: string) => [link.key(`pace:${lane}`), link.key(`pace:${lane}:calls`)];
  return {
    due: local.due,
    async take(request) {
      const { lane, pace, withinMs, leaseMs, id } = request;
      const { everyMs, inFlight, most } = pace;
      const figures = [everyMs, inFlight, most?.calls ?? 0, (most?.seconds ?? 0) * 1_000];
      const values = [...figures, Math.floor(withinMs), Math.ceil(leaseMs)].map(String);
      const reply = await link.ask('pace', (send) => takeTurn(send, keysOf(lane), [...values, id]));
      const shared = reply === AWAY ? undefined : readTurn(reply);
      if (shared !== undefined && shared.kind !== 'taken') return shared;
      const own = await local.take(request);
      return shared ?? own;
    },
    settle(request, outcome) {
      const { lane, id } = request;
      const silence = local.settle(request, outcome);
      const values = [id, String(Math.ceil(silence?.ms ?? 0)), silence?.cause ?? 'rate_limited'];
      void link.ask('pace', (send) => endTurn(send, keysOf(lane), values));
    },
  };
}

const CAUSES: readonly WaitCause[] = ['pace', 'allowance', 'rate_limited', 'quota_exhausted'];

/** undefined = not a reply of the script. */
function readTurn(reply: unknown): PaceTurn | undefined {
  if (!Array.isArray(reply)) return undefined;
  const [kind, wait, said] = reply.map(String);
  const waitMs = Number(wait);
  const cause = CAUSES.find((one) => one === said);
  if (!Number.isFinite(waitMs) || cause === undefined) return undefined;
  if (kind === 'busy') return { kind };
  if (kind === 'taken') return { kind, waitMs };
  return kind === 'late' ? { kind, waitMs, cause } : undefined;
}
