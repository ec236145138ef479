export { createSharedCircuits } from './circuits/circuits.ts';
export { checkRedis, type RedisCheck } from './connection/check.ts';
export { createRedisLink, type RedisMonitor } from './connection/link.ts';
export { createKeyChanges, type KeyChanges } from './keys/key-changes.ts';
export { createSharedPaces } from './limits/paces.ts';
export { createSharedRateLimiter } from './limits/rate-limiter.ts';
export { createSharedFlights } from './pages/flights.ts';
export { createSharedPageCache } from './pages/page-cache.ts';
