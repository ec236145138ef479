import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../src/index.ts';
import { braveRequest, braveSearch, exaRequest, exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const exa = (fault: string, more: Record<string, unknown> = {}, key = 'test-key') =>
  exaSearch(sandbox(), { query: `tidal energy [[exa:${fault}]]`, ...more }, { 'x-api-key': key });
const brave = (fault: string) => braveSearch(sandbox(), { q: `tidal energy [[brave:${fault}]]` });

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly error: string | undefined;
}

/** The received bytes, with the error that ended them. */
function raw(
  fault: string,
  read: (bytes: number) => 'on' | 'stop' = () => 'on',
): Promise<RawAnswer> {
  const q = encodeURIComponent(`tidal energy [[brave:${fault}]]`);
  const url = `${sandbox().baseUrl('brave')}/res/v1/web/search?q=${q}`;
  return new Promise((resolve) => {
    const sent = request(url, { headers: { 'x-subscription-token': 'test-key' } }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const done = (error?: NodeJS.ErrnoException) =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
          error: error?.code,
        });
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (read(size) === 'stop') response.destroy();
      });
      response.on('error', done);
      response.on('end', () => done());
      response.on('close', () => done());
    });
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ status: undefined, headers: {}, bytes: Buffer.alloc(0), error: error.code }),
    );
    sent.end();
  });
}

describe('faults of status', () => {
  test('status gives the body of each vendor for it', async () => {
    expect((await exa('status=500')).body).toMatchObject({ tag: 'INTERNAL_ERROR' });
    expect((await exa('status=429')).body).toEqual({ error: expect.any(String) });
    expect((await brave('status=500')).body).toMatchObject({ type: 'ErrorResponse' });
  });

  test('retry-after adds the header, on the failing answer only', async () => {
    expect((await exa('status=429,retry-after=7')).headers.get('retry-after')).toBe('7');
    expect((await exa('status=429')).headers.get('retry-after')).toBeNull();
    const query = 'once [[exa:fail-first=1,retry-after=2]]';
    const first = await exaSearch(sandbox(), { query });
    const second = await exaSearch(sandbox(), { query });
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '2']);
    expect([second.status, second.headers.get('retry-after')]).toEqual([200, null]);
  });

  test('a status fault does not hide a request that the vendor would refuse', async () => {
    expect((await exa('status=503', { numResults: 0 })).status).toBe(400);
    expect((await exa('status=503', {}, 'bad-key')).status).toBe(401);
  });
});

describe('faults of time and connection', () => {
  test('latency delays the answer by at least that long', async () => {
    const start = performance.now();
    expect((await exa('latency=80')).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(79);
  });

  test('hang never answers', async () => {
    let onLine: (line: string) => void = () => {};
    const reached = new Promise<string>((resolve) => {
      onLine = resolve;
    });
    const own = await startSandbox({ log: (line) => onLine(line) });
    const outcome = exaRequest(own, { query: 'tidal [[exa:hang]]' }).then(
      () => 'answered',
      () => 'closed',
    );
    expect(await reached).toBe('POST /exa/search hang');
    expect((await exaSearch(own, { query: 'answered meanwhile' })).status).toBe(200);
    await own.stop();
    expect(await outcome).toBe('closed');
  });
});

describe('faults of the connection', () => {
  test('reset ends the connection before any answer', async () => {
    expect(await raw('reset')).toMatchObject({ status: undefined, error: 'ECONNRESET' });
  });

  test('cut sends the headers and half of the body', async () => {
    const whole = await raw('latency=0');
    const { status, headers, bytes, error } = await raw('cut');
    expect([status, error]).toEqual([200, 'ECONNRESET']);
    expect(bytes.length).toBe(Math.floor(Number(headers['content-length']) / 2));
    expect(bytes.length).toBeGreaterThan(whole.bytes.length / 3);
  });
});

describe('faults of the body', () => {
  test('not-json is a 200 page, or has the status asked for', async () => {
    const page = await brave('not-json');
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toMatch(/^<!DOCTYPE html>/);
    const failing = await exa('status=502,not-json');
    expect([failing.status, failing.text.slice(0, 9)]).toEqual([502, '<!DOCTYPE']);
  });

  test('broken-json says JSON and ends in the middle of it', async () => {
    const answer = await exa('broken-json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(() => JSON.parse(answer.text)).toThrow();
    expect(answer.text).toMatch(/^\{"requestId"/);
  });

  test.each([
    ['wrong-shape', '[]'],
    ['wrong-shape=array', '[]'],
    ['wrong-shape=object', '{}'],
    ['wrong-shape=string', '"ok"'],
    ['wrong-shape=null', 'null'],
  ])('%s answers %s', async (fault, text) => {
    const answer = await exa(fault);
    expect([answer.status, answer.text]).toEqual([200, text]);
  });

  test('empty is well formed with nothing found', async () => {
    expect(rowsAt((await exa('empty')).body, 'results')).toEqual([]);
    const { status, body } = await brave('empty');
    expect(status).toBe(200);
    expect(body).toMatchObject({ type: 'search', query: { bad_results: true } });
    for (const section of ['web', 'news', 'videos', 'mixed'])
      expect(body).not.toHaveProperty(section);
  });

  test('too-large is valid JSON of exactly that size', async () => {
    const { bytes, headers } = await raw('too-large=300000');
    expect(bytes.length).toBe(300_000);
    expect(headers['content-length']).toBeUndefined();
    expect(JSON.parse(bytes.toString())).toMatchObject({
      type: 'search',
      padding: expect.any(String),
    });
  });

  test('too-large is 64 MiB by default and stops when the client disconnects', async () => {
    const { bytes } = await raw('too-large', (size) => (size > 1_000_000 ? 'stop' : 'on'));
    expect(bytes.length).toBeGreaterThan(1_000_000);
    expect(bytes.length).toBeLessThan(10_000_000);
    expect((await brave('rows=1')).status).toBe(200);
  });

  test('too-large under gzip is small on the wire', async () => {
    const { bytes, headers } = await raw('too-large=5000000,gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(bytes.length).toBeLessThan(100_000);
    expect(gunzipSync(bytes).length).toBe(5_000_000);
  });
});

describe('faults of encoding', () => {
  test.each(['gzip', 'br', 'deflate'])('%s compresses and says so', async (encoding) => {
    const plain = await brave('latency=0');
    const response = await braveRequest(sandbox(), { q: `tidal energy [[brave:${encoding}]]` });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    const received = await response.text();
    expect(rowsAt(JSON.parse(received), 'web', 'results')).toEqual(
      rowsAt(plain.body, 'web', 'results'),
    );
    expect(Number(response.headers.get('content-length'))).toBeLessThan(received.length);
  });

  test('bad-gzip says gzip and is not', async () => {
    const { headers, bytes } = await raw('bad-gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expect(() => gunzipSync(bytes)).toThrow();
    await expect(brave('bad-gzip')).rejects.toThrow();
  });

  test('an accept-encoding header alone changes nothing', async () => {
    const plain = await braveRequest(sandbox(), { q: 'tidal' }, { 'accept-encoding': 'gzip' });
    expect(plain.headers.get('content-encoding')).toBeNull();
  });
});
