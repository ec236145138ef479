import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MalformedFault, startSandbox } from '../src/index.ts';
import { braveSearch, exaRequest, exaSearch, useSandbox } from './support.ts';

const sandbox = useSandbox();
const control = (method: string, path: string, body?: unknown) =>
  fetch(`${sandbox().url}/__sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('startSandbox', () => {
  test('listens on loopback and returns the base URL of each vendor', () => {
    expect(sandbox().url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox().vendors).toEqual(expect.arrayContaining(['exa', 'brave']));
    for (const vendor of sandbox().vendors) {
      expect(sandbox().baseUrl(vendor)).toBe(`${sandbox().url}/${vendor}`);
    }
    expect(() => sandbox().baseUrl('unknown')).toThrow('no vendor "unknown"');
  });

  test('rejects when the port is taken', async () => {
    const port = Number(new URL(sandbox().url).port);
    await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('stop closes hanging connections and may be called again', async () => {
    const own = await startSandbox();
    const hanging = exaRequest(own, { query: '[[exa:hang]]' });
    const slow = exaRequest(own, { query: '[[exa:latency=60000]]' });
    const refused = Promise.all([
      expect(hanging).rejects.toThrow(),
      expect(slow).rejects.toThrow(),
    ]);
    await exaSearch(own, { query: 'both are under way now' });
    await Promise.all([own.stop(), own.stop()]);
    await refused;
    await expect(exaSearch(own, { query: 'late' })).rejects.toThrow();
  });

  test('acceptsKey decides which keys are known', async () => {
    const own = await startSandbox({ acceptsKey: (vendor, key) => key === `${vendor}-only` });
    const status = async (key: string) =>
      (await exaSearch(own, { query: 'tidal' }, { 'x-api-key': key })).status;
    expect([await status('exa-only'), await status('brave-only')]).toEqual([200, 401]);
    await own.stop();
  });

  test('logs method, path and outcome, and never a key or a query', async () => {
    const lines: string[] = [];
    const own = await startSandbox({ log: (line) => lines.push(line) });
    await exaSearch(own, { query: 'tidal' }, { 'x-api-key': 'secret-7f3a' });
    await braveSearch(own, { q: 'tidal [[brave:status=500]]' });
    expect(lines).toEqual(['POST /exa/search 200', 'GET /brave/res/v1/web/search 500']);
    await own.stop();
  });

  test('unknown vendors are an error of the sandbox itself', async () => {
    const response = await fetch(`${sandbox().url}/unknown/search`);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-sandbox-error')).toContain('no vendor "unknown"');
  });

  test('a request body over 4 MiB is refused', async () => {
    const response = await exaRequest(sandbox(), { query: 'x'.repeat(4 * 1024 * 1024) });
    expect(response.status).toBe(413);
  });
});

describe('recorded calls', () => {
  test('hold what was received, refused calls included', async () => {
    await exaSearch(sandbox(), { query: 'tidal', numResults: 0 }, { 'x-api-key': 'bad-key' });
    await braveSearch(sandbox(), 'q=tidal&goggles=a&goggles=b');
    const [first, second] = sandbox().calls;
    expect(first).toMatchObject({
      vendor: 'exa',
      method: 'POST',
      path: '/search',
      query: [],
      key: 'bad-key',
    });
    expect(first?.headers['content-type']).toBe('application/json');
    expect(first?.body).toBe('{"query":"tidal","numResults":0}');
    expect(first?.json()).toEqual({ query: 'tidal', numResults: 0 });
    expect(first?.at).toBeGreaterThan(1.7e12);
    expect(second).toMatchObject({
      vendor: 'brave',
      method: 'GET',
      path: '/res/v1/web/search',
      body: '',
    });
    expect(second?.query).toEqual([
      ['q', 'tidal'],
      ['goggles', 'a'],
      ['goggles', 'b'],
    ]);
    sandbox().clearCalls();
    expect(sandbox().calls).toEqual([]);
  });

  test('keep only the newest, in order', async () => {
    const own = await startSandbox({ callsKept: 3 });
    const queries = () => own.calls.map((call) => call.query[0]?.[1]);
    for (const q of ['a', 'b']) await braveSearch(own, { q });
    expect(queries()).toEqual(['a', 'b']);
    for (const q of ['c', 'd', 'e']) await braveSearch(own, { q });
    expect(queries()).toEqual(['c', 'd', 'e']);
    await own.stop();
  });
});

describe('injected faults', () => {
  const exaStatus = async (query = 'tidal') => (await exaSearch(sandbox(), { query })).status;

  test('hit a vendor the given number of times', async () => {
    sandbox().inject('exa', 'status=503', { times: 2 });
    expect([await exaStatus(), await exaStatus(), await exaStatus()]).toEqual([503, 503, 200]);
  });

  test('stay until cleared when no number is given, and leave other vendors alone', async () => {
    sandbox().inject('exa', 'status=500');
    expect([await exaStatus(), await exaStatus()]).toEqual([500, 500]);
    expect((await braveSearch(sandbox(), { q: 'tidal' })).status).toBe(200);
    sandbox().clearFaults();
    expect(await exaStatus()).toBe(200);
  });

  test('for * hit every vendor, for a path only that path', async () => {
    sandbox().inject('*', 'status=500', { path: '/search' });
    expect(await exaStatus()).toBe(500);
    expect((await braveSearch(sandbox(), { q: 'tidal' })).status).toBe(200);
  });

  test('are used up one after the other', async () => {
    sandbox().inject('exa', 'status=500', { times: 1 });
    sandbox().inject('exa', 'status=429', { times: 1 });
    expect([await exaStatus(), await exaStatus(), await exaStatus()]).toEqual([500, 429, 200]);
  });

  test('give way to a directive in the query', async () => {
    sandbox().inject('exa', 'status=500');
    expect(await exaStatus('tidal [[exa:status=429]]')).toBe(429);
  });

  test.each([
    ['unknown', 'status=500', undefined],
    ['exa', 'explode', undefined],
    ['exa', 'fail-first=1', undefined],
    ['exa', 'status=500', 0],
    ['exa', 'status=500', 1.5],
  ])('that make no sense are refused at once: %s %s %s', (vendor, fault, times) => {
    const options = times === undefined ? {} : { times };
    expect(() => sandbox().inject(vendor, fault, options)).toThrow(MalformedFault);
  });
});

describe('the control endpoints', () => {
  test('inject and clear faults', async () => {
    expect(
      (await control('POST', '/faults', { vendor: 'exa', fault: 'status=503', times: 1 })).status,
    ).toBe(200);
    expect((await exaSearch(sandbox(), { query: 'tidal' })).status).toBe(503);
    await control('POST', '/faults', { vendor: 'exa', fault: 'status=503' });
    expect((await control('DELETE', '/faults')).status).toBe(200);
    expect((await exaSearch(sandbox(), { query: 'tidal' })).status).toBe(200);
  });

  test.each([
    [{}],
    [{ vendor: 'exa', fault: 'explode' }],
    [{ vendor: 'exa', fault: 'reset', times: '2' }],
  ])('refuse %j', async (body) => {
    const response = await control('POST', '/faults', body);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-sandbox-error')).not.toBeNull();
  });

  test('list and clear the calls', async () => {
    await exaSearch(sandbox(), { query: 'tidal' });
    const listed = await control('GET', '/calls');
    expect(await listed.json()).toMatchObject({ calls: [{ vendor: 'exa', path: '/search' }] });
    await control('DELETE', '/calls');
    expect(sandbox().calls).toEqual([]);
  });

  test('name the vendors, and refuse what does not exist', async () => {
    expect(await (await control('GET', '')).json()).toEqual({ vendors: sandbox().vendors });
    expect((await control('GET', '/nothing')).status).toBe(404);
  });
});

test('the sandbox imports nothing but itself and Node', () => {
  const source = new URL('../src/', import.meta.url);
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(new URL(file, source), 'utf8');
    for (const [, target] of text.matchAll(/^(?:import|export)[^;]*? from '([^']+)';/gms)) {
      expect(target).toMatch(/^(node:|\.\.?\/)/);
    }
  }
});
