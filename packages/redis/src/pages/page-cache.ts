import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isJsonObject, writeJson } from '@trawl/contract';
import { type CachedPage, type PageCache, readCachedPage } from '@trawl/router';
import { parseContent } from '@trawl/upstream';
import { AWAY, type RedisLink } from '../connection/link.ts';
import { script } from '../connection/script.ts';

export interface SharedPageCacheOptions {
  readonly ttlMs: number;
  /** Of all pages together, packed and with what Redis needs to keep them. */
  readonly maxBytes: number;
  /** Used while Redis is away. It has the pages that this process fetched. */
  readonly local: PageCache;
}

/** What Redis needs for a key and for the lists of pages. */
const OVERHEAD_BYTES = 400;
/** Pages that one write drops at most, so that no script takes long. */
const DROPPED_MAX = 200;

/**
 * Keys: the list of pages by their end, the hash of their sizes, the start of their keys. Values:
 * the page's name, its bytes, time to live and limit of all. The sum of sizes is a field of the
 * hash. Pages whose time is over go first, then the oldest. A page for which not enough can be
 * dropped is not kept.
 */
const keep = script(`
local order, sizes, prefix = KEYS[1], KEYS[2], KEYS[3]
local name, ttl, most = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local size = #ARGV[2] + ${OVERHEAD_BYTES}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local total = tonumber(redis.call('HGET', sizes, 'total') or 0)
local function drop(page)
  total = math.max(0, total - tonumber(redis.call('HGET', sizes, page) or 0))
  redis.call('DEL', prefix .. page)
  redis.call('HDEL', sizes, page)
  redis.call('ZREM', order, page)
end
drop(name)
for _, page in ipairs(redis.call('ZRANGEBYSCORE', order, '-inf', now, 'LIMIT', 0, ${DROPPED_MAX})) do
  drop(page)
end
for _ = 1, ${DROPPED_MAX} do
  if total + size <= most then break end
  local oldest = redis.call('ZRANGE', order, 0, 0)[1]
  if not oldest then total = 0 break end
  drop(oldest)
end
local fits = total + size <= most
if fits then
  redis.call('SET', prefix .. name, ARGV[2], 'PX', ttl)
  redis.call('ZADD', order, now + ttl, name)
  redis.call('HSET', sizes, name, size)
  total = total + size
end
redis.call('HSET', sizes, 'total', total)
for _, key in ipairs({order, sizes}) do
  if redis.call('PTTL', key) < ttl then redis.call('PEXPIRE', key, ttl) end
end
return fits and 1 or 0
`);

/**
 * Pages that all replicas share, each packed under a name made of its project, address and options.
 */
export function createSharedPageCache(
  link: RedisLink,
  { ttlMs, maxBytes, local }: SharedPageCacheOptions,
): PageCache {
  const prefix = link.key('page:');
  const lists = [link.key('pages'), link.key('page-sizes'), prefix];
  const limits = [String(ttlMs), String(maxBytes)];
  return {
    async get(key) {
      const stored = await link.ask('page_cache', (send) =>
        send(['GET', prefix + nameOf(key)], 'asBytes'),
      );
      return stored === AWAY ? local.get(key) : unpackPage(key, stored);
    },
    async set(key, page) {
      await local.set(key, page);
      if (!link.isUp()) return;
      const packed = await packPage(key, page);
      if (packed === undefined) return;
      await link.ask('page_cache', (send) => keep(send, lists, [nameOf(key), packed, ...limits]));
    },
  };
}

/** Says nothing of the key, which has the address of the page. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** As in a process: a page of more text is not kept. */
const TEXT_MAX_CHARACTERS = 8 * 1024 * 1024;
/** In UTF-8 a character of ours takes up to three bytes. */
const UNPACKED_MAX_BYTES = 3 * TEXT_MAX_CHARACTERS;
/** A larger value would keep the connection busy for other commands. */
const PACKED_MAX_BYTES = 1024 * 1024;
/** Quick: pages are text, and shrink to about a third at any level. */
const LEVEL = 1;

/**
 * A page as bytes; undefined = it is too large to keep. The key goes into it, so a page is never
 * taken for that of another key.
 */
async function packPage(key: string, page: CachedPage): Promise<Buffer | undefined> {
  const text = writeJson({ key, page });
  if (text.length > TEXT_MAX_CHARACTERS) return undefined;
  const packed = await pack(text, { level: LEVEL });
  return packed.length > PACKED_MAX_BYTES ? undefined : packed;
}

/**
 * The page; undefined = these bytes are not a page of this key. What is in Redis may be anything.
 */
async function unpackPage(key: string, packed: unknown): Promise<CachedPage | undefined> {
  if (!Buffer.isBuffer(packed) || packed.length > PACKED_MAX_BYTES) return undefined;
  const bytes = await unpack(packed, { maxOutputLength: UNPACKED_MAX_BYTES }).catch(
    () => undefined,
  );
  const content = bytes && parseContent(bytes.toString('utf8'));
  if (!content?.isJson) return undefined;
  const { json } = content;
  const isOfKey = isJsonObject(json) && json.key === key;
  return isOfKey ? readCachedPage(json.page) : undefined;
}
