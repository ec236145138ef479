import { describe, expect, test } from 'vitest';
import { FaultBook } from '../src/faults/fault-book.ts';
import { FAULT_NAMES } from '../src/index.ts';
import { braveSearch, exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const exaStatus = async (query: string) => (await exaSearch(sandbox(), { query })).status;
const braveStatus = async (q: string) => (await braveSearch(sandbox(), { q })).status;

describe('directives in a query', () => {
  test('reach only the vendor they name', async () => {
    expect(await exaStatus('tidal [[exa:status=503]]')).toBe(503);
    expect(await braveStatus('tidal [[exa:status=503]]')).toBe(200);
  });

  test('for * reach all vendors, and a vendor’s own setting wins', async () => {
    const query = 'tidal [[*:status=500]] [[brave:status=429]]';
    expect([await exaStatus(query), await braveStatus(query)]).toEqual([500, 429]);
  });

  test('combine, in one pair of brackets or several', async () => {
    const query = 'tidal [[exa: rows=2 , latency=1]] energy [[exa:gzip]]';
    const answer = await exaSearch(sandbox(), { query });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(rowsAt(answer.body, 'results')).toHaveLength(2);
  });

  test('stay in the query as received but do not change what is found', async () => {
    const q = 'tidal energy [[brave:latency=1]]';
    const answer = await braveSearch(sandbox(), { q });
    const plain = await braveSearch(sandbox(), { q: 'tidal energy' });
    expect(answer.body.query).toMatchObject({ original: q });
    expect(rowsAt(answer.body, 'web', 'results')).toEqual(rowsAt(plain.body, 'web', 'results'));
  });

  test.each(['bash [[ -f file ]] meaning', 'array[[0]]', '[[File:Map.png]]', 'a [[ b', '[[x]]'])(
    'leave other double brackets alone: %s',
    async (query) => {
      expect([await exaStatus(query), await braveStatus(query)]).toEqual([200, 200]);
    },
  );

  test.each([
    ['[[exa:]]', '"" is not a fault'],
    ['[[exa:statsu=503]]', '"statsu" is not a fault'],
    ['[[exa:constructor]]', '"constructor" is not a fault'],
    ['[[exa:status]]', 'whole number from 400 to 599'],
    ['[[exa:status=200]]', 'whole number from 400 to 599'],
    ['[[exa:status=5O3]]', 'whole number from 400 to 599'],
    ['[[exa:latency=-1]]', '"latency" needs a whole number'],
    ['[[exa:hang=1]]', '"hang" takes no value'],
    ['[[exa:hang,reset]]', 'sets connection a second time'],
    ['[[exa:rows=1]] [[exa:empty]]', 'two fault directives for exa set rows'],
    ['[[exa:wrong-shape=triangle]]', '"wrong-shape" is one of'],
    ['[[exa:retry-after=2]]', 'needs a status'],
    ['[[exa:rows=1,]]', '"" is not a fault'],
    ['[[exa status=503]]', 'a colon must follow'],
    ['[[exa:status=503', 'not closed'],
    ['[[unknown:status=503]]', 'unknown vendor'],
  ])('that cannot be read are a 400 of the sandbox itself: %s', async (directive, message) => {
    for (const answer of [
      await exaSearch(sandbox(), { query: `tidal ${directive}` }),
      await braveSearch(sandbox(), { q: `tidal ${directive}` }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.get('x-sandbox-error')).toContain(message);
      expect(answer.body.sandbox_error).toContain(message);
    }
  });

  test('know every fault that is exported', () => {
    expect(FAULT_NAMES).toEqual(
      expect.arrayContaining([
        'status',
        'latency',
        'hang',
        'cut',
        'reset',
        'not-json',
        'broken-json',
        'wrong-shape',
        'empty',
        'too-large',
        'gzip',
        'br',
        'deflate',
        'bad-gzip',
        'odd-rows',
        'rows',
        'echo-key',
        'retry-after',
        'fail-first',
      ]),
    );
  });
});

describe('fail-first', () => {
  test('fails the first calls with exactly this text, then succeeds', async () => {
    const query = 'retry me [[exa:fail-first=2,status=500]]';
    const statuses = [
      await exaStatus(query),
      await exaStatus(query),
      await exaStatus(query),
      await exaStatus(query),
    ];
    expect(statuses).toEqual([500, 500, 200, 200]);
    expect(await exaStatus(`${query} other`)).toBe(500);
  });

  test('counts each vendor separately', async () => {
    const query = 'both [[*:fail-first=1]]';
    expect([await exaStatus(query), await braveStatus(query)]).toEqual([503, 503]);
    expect([await exaStatus(query), await braveStatus(query)]).toEqual([200, 200]);
  });

  test('holds back any failure, and leaves the rest of the directive on', async () => {
    const query = 'body [[exa:fail-first=1,wrong-shape,rows=3]]';
    expect((await exaSearch(sandbox(), { query })).text).toBe('[]');
    expect(rowsAt((await exaSearch(sandbox(), { query })).body, 'results')).toHaveLength(3);
  });

  test('remembers the last 10,000 texts and no more', () => {
    const book = new FaultBook(['exa']);
    const next = (n: number) => book.next('exa', '/search', `${n} [[exa:fail-first=1]]`).status;
    for (let n = 0; n < 10_000; n += 1) expect(next(n)).toBe(503);
    expect(next(0)).toBeUndefined();
    expect(next(10_000)).toBe(503);
    expect(next(1)).toBe(503);
    expect(next(0)).toBeUndefined();
  });

  test('starts again after clearFaults', async () => {
    const query = 'again [[exa:fail-first=1]]';
    expect([await exaStatus(query), await exaStatus(query)]).toEqual([503, 200]);
    sandbox().clearFaults();
    expect(await exaStatus(query)).toBe(503);
  });
});

describe('many requests at once', () => {
  test('each get their own faults and no others', async () => {
    const kinds = [
      { fault: 'status=503', status: 503 },
      { fault: 'status=429,retry-after=1', status: 429 },
      { fault: 'rows=2', status: 200, rows: 2 },
      { fault: 'latency=5,rows=4', status: 200, rows: 4 },
      { fault: 'empty', status: 200, rows: 0 },
      { fault: 'br,rows=1', status: 200, rows: 1 },
      { fault: '', status: 200, rows: 10 },
    ];
    const outcomes = await Promise.all(
      Array.from({ length: 210 }, async (_, n) => {
        const kind = kinds[n % kinds.length] ?? { fault: '', status: 200, rows: 10 };
        const suffix = kind.fault === '' ? '' : ` [[exa:${kind.fault}]]`;
        const answer = await exaSearch(sandbox(), { query: `load ${n}${suffix}` });
        const rows = answer.status === 200 ? rowsAt(answer.body, 'results').length : undefined;
        return { right: answer.status === kind.status && rows === kind.rows, n };
      }),
    );
    expect(outcomes.filter(({ right }) => !right)).toEqual([]);
    expect(sandbox().calls).toHaveLength(210);
  });
});

test('long runs of spaces or punctuation in a query cost no time', async () => {
  const start = performance.now();
  const spaces = ' '.repeat(200_000);
  expect(await exaStatus(`tidal [[exa:${spaces}status${spaces}=${spaces}503${spaces}]]`)).toBe(503);
  expect(await exaStatus(`tidal ${'?'.repeat(200_000)} energy`)).toBe(200);
  expect(await exaStatus(`tidal ${'[['.repeat(100_000)}`)).toBe(200);
  expect(performance.now() - start).toBeLessThan(2_000);
});
