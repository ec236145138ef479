import { createHook } from 'node:async_hooks';
import { lookup } from 'node:dns/promises';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBoundedLookup } from '../src/download/bounded-lookup.ts';
import { createHostsFile } from '../src/download/hosts-file.ts';
import { createNameServerLookup } from '../src/download/name-servers.ts';
import { type Answer, serveNames } from './name-server.ts';
import { downloaderFor, verdictOf } from './support.ts';

const BY_THREAD = 'GETADDRINFOREQWRAP';
const BY_NAME_SERVERS = 'QUERYWRAP';

/** The kinds of look-ups that this process starts, until the test is over. */
function watchLookups() {
  const started: string[] = [];
  const hook = createHook({
    init: (_id, type) => {
      if (type === BY_THREAD || type === BY_NAME_SERVERS) started.push(type);
    },
  });
  hook.enable();
  onTestFinished(() => void hook.disable());
  return started;
}

describe('a name from outside', () => {
  test('is looked up without a thread, which a call to a provider may need', async () => {
    const started = watchLookups();
    const leaving = new AbortController();
    const { get } = downloaderFor();
    const pages = Array.from({ length: 20 }, (_, index) =>
      get(`http://h${index}.dead.invalid/`, undefined, leaving.signal),
    );
    await expect.poll(() => started.length).toBeGreaterThanOrEqual(20);
    leaving.abort();
    await Promise.all(pages);
    expect(started).not.toContain(BY_THREAD);
  });

  test('whose name servers are dead does not delay the look-ups of others', async () => {
    const names = await serveNames(() => 'silence');
    const { get } = downloaderFor({
      resolve: createNameServerLookup(names),
    });
    const leaving = new AbortController();
    const pages = Array.from({ length: 40 }, (_, index) =>
      get(`http://h${index}.example.com/`, undefined, leaving.signal),
    );
    await expect.poll(() => new Set(names.asked).size).toBe(80);
    let isOver = false;
    const ended = Promise.all(pages).finally(() => {
      isOver = true;
    });
    expect(await lookup('localhost')).toBeDefined();
    expect(isOver).toBe(false);
    leaving.abort();
    await ended;
  });

  test.each<[string, Answer, Answer, string]>([
    ['does not exist', 'unknown', 'unknown', 'dns_error unknown_host'],
    ['has no address', [], [], 'dns_error unknown_host'],
    ['exists for one type only, without an address', 'unknown', [], 'dns_error unknown_host'],
    ['cannot be found out', 'failure', 'failure', 'dns_error resolver_failed'],
    ['cannot be found out for one type', [], 'failure', 'dns_error resolver_failed'],
    ['gets no answer', 'silence', 'silence', 'dns_error resolver_failed'],
    ['has one private address', ['8.8.8.8'], ['fd00::1'], 'forbidden_address private_address'],
  ])('that %s: %j, %j', async (_name, four, six, verdict) => {
    const names = await serveNames(({ type }) => (type === 'A' ? four : six));
    const { get } = downloaderFor({
      resolve: createNameServerLookup({ servers: names.servers, limitMs: 1_000 }),
    });
    expect(verdictOf(await get('http://www.example.com/'))).toBe(verdict);
    expect(new Set(names.asked)).toEqual(new Set(['A www.example.com', 'AAAA www.example.com']));
  });

  test('that no name server could be asked for does not exist', async () => {
    const names = await serveNames(() => 'silence');
    const { get } = downloaderFor({ resolve: createNameServerLookup(names) });
    const label = 'x'.repeat(64);
    expect(verdictOf(await get(`http://${label}.example.com/`))).toBe('dns_error unknown_host');
  });

  test.each<[Answer, Answer, readonly string[]]>([
    [['8.8.8.8', '8.8.4.4'], ['2606:4700::1111'], ['8.8.8.8', '8.8.4.4', '2606:4700::1111']],
    [[], ['2606:4700::1111'], ['2606:4700::1111']],
    [['8.8.8.8'], 'failure', ['8.8.8.8']],
    [['8.8.8.8'], 'silence', ['8.8.8.8']],
  ])('has the addresses of both types: %j, %j', async (four, six, addresses) => {
    const { servers } = await serveNames(({ type }) => (type === 'A' ? four : six));
    const resolve = createNameServerLookup({ servers, limitMs: 1_000 });
    expect(new Set(await resolve('www.example.com'))).toEqual(new Set(addresses));
  });
});

test('a name in the hosts file has the addresses of its lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'hosts');
  await writeFile(
    path,
    '# 8.8.8.8 www.example.com\n127.0.0.1\tlocalhost\n10.0.0.1  other www.Example.com # here\nfd00::1 www.example.com\nnone www.example.com',
  );
  const found = createHostsFile(path);
  expect(await found('www.example.com')).toEqual(['10.0.0.1', 'fd00::1']);
  expect(await found('www.example.com.')).toEqual(['10.0.0.1', 'fd00::1']);
  expect(await found('example.com')).toEqual([]);
  await writeFile(path, '10.0.0.2 www.example.com # changed');
  expect(await found('www.example.com')).toEqual(['10.0.0.2']);
  expect(await createHostsFile(join(folder, 'absent'))('localhost')).toEqual([]);
});

describe('a host that the operator allowed', () => {
  /** Look-ups by the system that end when the test says so. */
  function heldLookups() {
    const held: { readonly name: string; readonly end: () => void }[] = [];
    const ask = (name: string): Promise<readonly string[]> =>
      new Promise((resolve) => {
        held.push({ name, end: () => resolve(['10.0.0.1']) });
      });
    return { held, ask };
  }

  test('is asked for once at a time, and few are at once', async () => {
    const { held, ask } = heldLookups();
    const resolve = createBoundedLookup({ lookup: ask, slots: 4 });
    const names = Array.from({ length: 20 }, (_, index) => `h${index}.lan`);
    const answers = Promise.all([...names, ...names].map((name) => resolve(name)));
    const namesHeld = () => held.map(({ name }) => name);
    await expect.poll(namesHeld).toEqual(names.slice(0, 4));
    held[0]?.end();
    await expect.poll(namesHeld).toEqual(names.slice(0, 5));
    for (let index = 1; index < names.length; index += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(index);
      held[index]?.end();
    }
    expect(await answers).toEqual(Array(40).fill(['10.0.0.1']));
    expect(namesHeld()).toEqual(names);
    // an answer is not kept
    void resolve('h0.lan');
    await expect.poll(() => held.length).toBe(21);
  });

  test('fails when no look-up ends in time, and is not asked for later', async () => {
    const { held, ask } = heldLookups();
    const resolve = createBoundedLookup({ lookup: ask, slots: 4, waitMs: 20 });
    const [first] = ['a.lan', 'b.lan', 'c.lan', 'd.lan'].map((name) => resolve(name));
    const { get } = downloaderFor({ allowed: 'e.lan', resolve });
    expect(verdictOf(await get('http://e.lan/'))).toBe('dns_error resolver_failed');
    held[0]?.end();
    await first;
    void resolve('f.lan');
    await expect
      .poll(() => held.map(({ name }) => name))
      .toEqual(['a.lan', 'b.lan', 'c.lan', 'd.lan', 'f.lan']);
  });
});
