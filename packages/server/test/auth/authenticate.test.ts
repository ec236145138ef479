import type { ApiKey } from '@trawl/router';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAuthenticator } from '../../src/auth/authenticate.ts';
import { apiKey, memoryKeyStore } from './memory-key-store.ts';

const TOKEN = 'tk_valid';
const HEADER = `Bearer ${TOKEN}`;

function setUp(options: { pollMs?: number } = {}) {
  const memory = memoryKeyStore();
  const store = { ...memory.store };
  const lines: Record<string, unknown>[] = [];
  const time = { now: Date.parse('2026-01-01T00:00:00Z') };
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const authenticator = createAuthenticator({
    keys: store,
    clock: { now: () => time.now },
    log,
    ...options,
  });
  return { ...memory, store, time, lines, authenticator, ...authenticator };
}

const refusal = (status: number, detail: string) => expect.objectContaining({ status, detail });
const MISSING = refusal(401, 'Missing API key');
const INVALID = refusal(401, 'Invalid API key');
const UNAVAILABLE = refusal(503, 'API keys cannot be checked at the moment');

/** A promise with its resolve and reject, to delay an answer of the store. */
function held<Value>() {
  let resolve: (value: Value) => void = () => {};
  let reject: (cause: Error) => void = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

describe('the Authorization header', () => {
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer   \t',
    'Basic dGs6',
    TOKEN,
    `Bearer${TOKEN}`,
    `Token ${TOKEN}`,
  ])('%j has no key: Missing API key', async (header) => {
    await expect(setUp().authenticate(header)).rejects.toEqual(MISSING);
  });

  it.each([
    'Bearer other',
    `Bearer ${TOKEN} more`,
    `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    'Bearer \u00ff\u0000',
    `Bearer ${'x'.repeat(100_000)}`,
  ])('%.30j has an unknown key: Invalid API key', async (header) => {
    const { put, authenticate } = setUp();
    put(TOKEN, apiKey());
    await expect(authenticate(header)).rejects.toEqual(INVALID);
  });

  it.each([HEADER, `bearer ${TOKEN}`, `BEARER ${TOKEN}`, `Bearer   ${TOKEN}  `])(
    '%j contains the key',
    async (header) => {
      const { put, authenticate } = setUp();
      put(TOKEN, apiKey());
      await expect(authenticate(header)).resolves.toEqual(apiKey());
    },
  );

  it('is read as bytes, so a key outside ASCII works', async () => {
    const { put, authenticate } = setUp();
    put('schlüssel-voilà', apiKey());
    const asReceived = Buffer.from('Bearer schlüssel-voilà').toString('latin1');
    await expect(authenticate(asReceived)).resolves.toEqual(apiKey());
  });

  it('refused: asks for Bearer', async () => {
    await expect(setUp().authenticate(undefined)).rejects.toMatchObject({
      typed: { code: 'unauthorized' },
      headers: {
        'www-authenticate':
          'Bearer realm="trawl", error="invalid_request", error_description="Missing API key: send the header Authorization: Bearer <API key>"',
      },
    });
  });
});

describe('an expired, disabled or revoked key', () => {
  it('is invalid once revoked', async () => {
    const { put, authenticate } = setUp();
    put(TOKEN, apiKey({ revokedAt: '2025-12-31T00:00:00.000Z' }));
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
  });

  it('is invalid while it is disabled', async () => {
    const { put, authenticate, refresh } = setUp();
    put(TOKEN, apiKey({ disabledAt: '2025-12-31T00:00:00.000Z' }));
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
    put(TOKEN, apiKey());
    await refresh();
    expect(await authenticate(HEADER)).toMatchObject({ id: 'key-1' });
  });

  it('is invalid from its expiry time on, even if it is remembered', async () => {
    const { put, authenticate, refresh, time } = setUp();
    put(TOKEN, apiKey({ expiresAt: '2026-01-01T00:00:01.000Z' }));
    await refresh();
    await expect(authenticate(HEADER)).resolves.toBeDefined();
    time.now += 999;
    await expect(authenticate(HEADER)).resolves.toBeDefined();
    time.now += 1;
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
  });

  it('is invalid when its expiry cannot be read', async () => {
    const { put, authenticate } = setUp();
    put(TOKEN, apiKey({ expiresAt: 'soon' }));
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
  });
});

describe('remembered keys', () => {
  it('are answered without asking the store', async () => {
    const { put, authenticate, refresh, asked } = setUp();
    put(TOKEN, apiKey());
    await refresh();
    for (let count = 0; count < 5; count += 1) await authenticate(HEADER);
    expect(asked.findKey).toBe(1);
  });

  it('include the unknown ones', async () => {
    const { authenticate, refresh, asked } = setUp();
    await refresh();
    for (let count = 0; count < 5; count += 1) {
      await expect(authenticate('Bearer unknown')).rejects.toEqual(INVALID);
    }
    expect(asked.findKey).toBe(1);
  });

  it('stay remembered when many made-up keys arrive', async () => {
    const { put, authenticate, refresh, asked } = setUp();
    put(TOKEN, apiKey());
    await refresh();
    await authenticate(HEADER);
    for (let count = 0; count < 10_500; count += 1) {
      await authenticate(`Bearer made-up-${count}`).catch(() => {});
    }
    const before = asked.findKey;
    await authenticate(HEADER);
    expect(asked.findKey).toBe(before);
    // The first made-up keys are gone: the memory for them is limited.
    await authenticate('Bearer made-up-0').catch(() => {});
    expect(asked.findKey).toBe(before + 1);
  });

  it('are forgotten when the revision changes: a revoked key stops working', async () => {
    const { put, authenticate, refresh } = setUp();
    put(TOKEN, apiKey());
    await refresh();
    await authenticate(HEADER);
    put(TOKEN, apiKey({ revokedAt: '2026-01-01T00:00:00.000Z' }));
    await refresh();
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
  });

  it('are forgotten when the revision changes: a new key starts to work', async () => {
    const { put, authenticate, refresh } = setUp();
    await refresh();
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
    put(TOKEN, apiKey());
    await refresh();
    await expect(authenticate(HEADER)).resolves.toEqual(apiKey());
  });

  it('stay while the revision is the same', async () => {
    const { put, authenticate, refresh, asked } = setUp();
    put(TOKEN, apiKey());
    await refresh();
    await authenticate(HEADER);
    await refresh();
    await authenticate(HEADER);
    expect(asked.findKey).toBe(1);
  });

  it('are not used before the first poll', async () => {
    const { put, authenticate, asked } = setUp();
    put(TOKEN, apiKey());
    await authenticate(HEADER);
    await authenticate(HEADER);
    expect(asked.findKey).toBe(2);
  });

  it('are forgotten when polling fails, and used again when it works', async () => {
    const { put, authenticate, refresh, store, asked, lines } = setUp();
    const { revision } = store;
    put(TOKEN, apiKey());
    await refresh();
    await authenticate(HEADER);
    store.revision = async () => {
      throw new Error('down');
    };
    await refresh();
    await refresh();
    await authenticate(HEADER);
    await authenticate(HEADER);
    expect(asked.findKey).toBe(3);
    store.revision = revision;
    await refresh();
    await authenticate(HEADER);
    await authenticate(HEADER);
    expect(asked.findKey).toBe(4);
    // One line when it breaks and one when it works again, not one for each poll.
    expect(lines.map((line) => line.level)).toEqual([40, 30]);
  });

  it('are not used while a poll hangs', async () => {
    const { put, authenticate, refresh, store, time, asked } = setUp({ pollMs: 500 });
    put(TOKEN, apiKey());
    await refresh();
    await authenticate(HEADER);
    const answer = held<number>();
    store.revision = () => answer.promise;
    const hanging = refresh();
    time.now += 2_001;
    await authenticate(HEADER);
    expect(asked.findKey).toBe(2);
    answer.resolve(2);
    await hanging;
  });

  it('are polled from start to stop', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { authenticator, store } = setUp({ pollMs: 500 });
    let polls = 0;
    store.revision = async () => {
      polls += 1;
      return 1;
    };
    authenticator.start();
    authenticator.start();
    const first = polls;
    await vi.advanceTimersByTimeAsync(1_500);
    expect(polls - first).toBe(3);
    authenticator.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(polls - first).toBe(3);
  });
});

describe('lookups', () => {
  it('of one key at the same time are one query', async () => {
    const { put, authenticate, asked } = setUp();
    put(TOKEN, apiKey());
    await Promise.all(Array.from({ length: 20 }, () => authenticate(HEADER)));
    expect(asked.findKey).toBe(1);
  });

  it('that were in progress when the revision changed are not remembered', async () => {
    const { put, authenticate, refresh, store } = setUp();
    put(TOKEN, apiKey());
    await refresh();
    const { findKey } = store;
    const old = held<ApiKey>();
    store.findKey = () => old.promise;
    const early = authenticate(HEADER);
    put(TOKEN, apiKey({ revokedAt: '2026-01-01T00:00:00.000Z' }));
    await refresh();
    store.findKey = findKey;
    // Neither joins the old query nor finds its answer afterwards.
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
    old.resolve(apiKey());
    await early;
    await expect(authenticate(HEADER)).rejects.toEqual(INVALID);
  });

  it('that fail are a 503 with Retry-After, and are tried again', async () => {
    const { put, authenticate, store } = setUp();
    put(TOKEN, apiKey());
    const { findKey } = store;
    store.findKey = () => {
      throw new Error('down');
    };
    const failed = authenticate(HEADER);
    await expect(failed).rejects.toEqual(UNAVAILABLE);
    await expect(failed).rejects.toMatchObject({
      typed: { code: 'unavailable' },
      headers: { 'retry-after': '5' },
      cause: expect.objectContaining({ message: 'down' }),
    });
    store.findKey = findKey;
    await expect(authenticate(HEADER)).resolves.toEqual(apiKey());
  });
});
