import { script } from '../connection/script.ts';

/** Nothing is known of circuits that did not change for this long; longer than any cool-down. */
const KEPT_MS = 3_600_000;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * Keys: the hash of open circuits, the lease of the circuit's probe, the channel. Values: circuit,
 * cause, count of openings, length of the cool-down in milliseconds, mark of the provider's key,
 * sender. Its end is kept by the clock of Redis, and sent as a length, since clocks of replicas may
 * differ.
 */
export const openCircuit = script(`${NOW}
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode({
  cause = ARGV[2], openings = tonumber(ARGV[3]), ['until'] = now + tonumber(ARGV[4]), mark = ARGV[5]
}))
redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
redis.call('DEL', KEYS[2])
return redis.call('PUBLISH', KEYS[3], cjson.encode({
  circuit = ARGV[1], cause = ARGV[2], openings = tonumber(ARGV[3]), openMs = tonumber(ARGV[4]),
  mark = ARGV[5], from = ARGV[6]
}))
`);

/** The same keys. Values: circuit, sender. */
export const closeCircuit = script(`
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return redis.call('PUBLISH', KEYS[3], cjson.encode({from = ARGV[2], circuit = ARGV[1]}))
`);

/**
 * The same keys. Values: circuit, sender, lease in milliseconds. Returns 1 where the sender may
 * probe: no other replica does, and the cool-down is not running, as it is after a probe that has
 * just failed elsewhere.
 */
export const claimProbe = script(`${NOW}
local known = redis.call('HGET', KEYS[1], ARGV[1])
local read, circuit = pcall(cjson.decode, known or '')
if read and type(circuit) == 'table' and (tonumber(circuit['until']) or 0) > now then return 0 end
return redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0
`);

/** Keys: the lease. Values: sender. Ends the sender's own lease only. */
export const releaseProbe = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`);

/** Keys: the hash. Returns each circuit as a text of JSON, with what is left of its cool-down. */
export const readCircuits = script(`${NOW}
local found = {}
local fields = redis.call('HGETALL', KEYS[1])
for f = 1, #fields, 2 do
  local read, circuit = pcall(cjson.decode, fields[f + 1])
  if read and type(circuit) == 'table' then
    found[#found + 1] = cjson.encode({
      circuit = fields[f], cause = circuit.cause, openings = circuit.openings, mark = circuit.mark,
      openMs = math.max(0, (tonumber(circuit['until']) or 0) - now)
    })
  end
end
return found
`);
