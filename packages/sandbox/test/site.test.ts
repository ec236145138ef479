import { createServer, request as httpRequest } from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Site, startSite } from '../src/index.ts';
import { gzipOfZeros } from './site/encodings.ts';
import { MADE_PAGES } from './site/made-pages.ts';

let running: Site | undefined;
const site = (): Site => {
  if (!running) throw new Error('the site is not started yet');
  return running;
};
beforeAll(async () => {
  running = await startSite({ pages: MADE_PAGES });
});
afterAll(() => site().stop());

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${site().url}${path}`, { redirect: 'manual', ...init });

/** The received bytes, without unpacking. */
async function rawBody(path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    httpRequest(`${site().url}${path}`, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('the site', () => {
  test('lists every page, each once, and answers at the listed address', async () => {
    const index = await (await get('/')).text();
    const paths = site().pages.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { path, about } of site().pages)
      expect(index).toContain(`"${path}">${path}</a>: ${about}`);
    const missing = await get('/nothing-here');
    expect(missing.status).toBe(404);
  });

  test('keeps the requests it received, separately for its other port', async () => {
    const own = await startSite({ pages: MADE_PAGES });
    await fetch(`${own.url}/short?x=1`, { headers: { 'x-test': 'yes' } });
    await fetch(`${own.url}/redirect-other-port`);
    expect(own.requests).toMatchObject([
      { method: 'GET', path: '/short?x=1', headers: { 'x-test': 'yes' } },
      { path: '/redirect-other-port' },
    ]);
    expect(own.otherRequests).toMatchObject([{ path: '/secret' }]);
    await own.stop();
  });

  test('rejects when its port is taken, and leaves nothing running', async () => {
    const port = Number(new URL(site().url).port);
    await expect(startSite({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('stop ends hanging requests and may be called again', async () => {
    const own = await startSite({ pages: MADE_PAGES });
    const arrived = fetch(`${own.url}/hang`);
    const refused = expect(arrived).rejects.toThrow();
    await fetch(`${own.url}/short`);
    await Promise.all([own.stop(), own.stop()]);
    await refused;
    const port = Number(new URL(own.otherUrl).port);
    const taken = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    await new Promise((resolve) => taken.close(resolve));
  });
});

describe('redirects', () => {
  const hops = async (path: string): Promise<readonly string[]> => {
    const seen: string[] = [];
    let next: string | null = path;
    while (next !== null && seen.length < 60) {
      const response: Response = await get(next);
      await response.arrayBuffer();
      next = response.headers.get('location');
      if (next !== null) seen.push(next);
    }
    return seen;
  };

  test('chains of three and of six end', async () => {
    expect((await hops('/redirect-chain-3')).length).toBe(3);
    expect((await hops('/redirect-chain-6')).length).toBe(6);
    const response = await get('/redirect-chain-6', { redirect: 'follow' });
    expect(response.url).toBe(`${site().url}/redirect-end`);
  });

  test('loops do not', async () => {
    expect((await hops('/redirect-loop')).length).toBe(60);
    expect((await hops('/redirect-pair')).length).toBe(60);
    expect(new Set(await hops('/redirect-forever')).size).toBeGreaterThan(40);
  });

  test.each([
    ['/redirect-private', /^http:\/\/10\./],
    ['/redirect-metadata', /^http:\/\/169\.254\.169\.254\//],
    ['/redirect-file', /^file:\/\/\//],
    ['/redirect-data', /^data:/],
    ['/redirect-credentials', /^http:\/\/user:pass@127\.0\.0\.1/],
    ['/redirect-relative', /^redirect-end#/],
  ])('%s redirects to the wrong place', async (path, expected) => {
    expect((await get(path)).headers.get('location')).toMatch(expected);
  });

  test('another port of the machine is named as it is', async () => {
    const location = (await get('/redirect-other-port')).headers.get('location');
    expect(location).toBe(`${site().otherUrl}/secret`);
    expect(site().otherUrl).not.toBe(site().url);
  });

  test('the cookie loop ends for a client that returns the cookie', async () => {
    const first = await get('/cookie-loop');
    expect([first.status, first.headers.get('location')]).toEqual([302, '/cookie-loop']);
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await (await get('/cookie-loop', { headers: { cookie } })).text()).toContain(
      'Welcome back',
    );
  });
});

const WESTERN_BYTES: Readonly<Record<string, number>> = {
  '“': 0x93,
  '”': 0x94,
  '–': 0x96,
  '€': 0x80,
};

/** The texts of the pages with awkward charsets. */
const CHARSET_TEXTS = {
  japanese: '潮の満ち引きで電気をつくる小さな発電所の話です。',
  chinese: '这是一座利用潮汐发电的小型电站的故事。',
  russian: 'Это рассказ о маленькой приливной электростанции.',
  western: 'Café “Prix” – 5 €',
  latin: 'Füße, Ærø, señor, façade',
} as const;

describe('charsets', () => {
  const { japanese, chinese, russian, western, latin } = CHARSET_TEXTS;

  test.each([
    ['/charset-shift-jis', 'shift_jis', japanese],
    ['/charset-shift-jis-meta', 'shift_jis', japanese],
    ['/charset-euc-jp-http-equiv', 'euc-jp', japanese],
    ['/charset-gbk', 'gbk', chinese],
    ['/charset-windows-1251', 'windows-1251', russian],
    ['/charset-missing', 'windows-1251', russian],
    ['/charset-wrong-header', 'windows-1251', russian],
    ['/charset-wrong-meta', 'utf-8', russian],
    ['/charset-unknown', 'utf-8', russian],
    ['/charset-latin-1', 'iso-8859-1', latin],
    ['/charset-utf-16', 'utf-16le', japanese],
    ['/charset-utf-16-be', 'utf-16be', japanese],
    ['/charset-utf-8-mark', 'utf-8', japanese],
  ])('%s is truly %s', async (path, charset, expected) => {
    const bytes = await (await get(path)).arrayBuffer();
    expect(new TextDecoder(charset, { fatal: true }).decode(bytes)).toContain(expected);
  });

  test('windows-1252 has the quotes, the dash and the euro that Latin-1 lacks', async () => {
    // Node decodes this label as Latin-1, so the bytes themselves are checked
    const page = await rawBody('/charset-windows-1252');
    const bytes = Buffer.from(
      [...western].map((letter) => WESTERN_BYTES[letter] ?? letter.charCodeAt(0)),
    );
    expect(page.includes(bytes)).toBe(true);
  });

  test('broken UTF-8 is broken', async () => {
    const bytes = await (await get('/charset-broken-utf-8')).arrayBuffer();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow();
  });
});

describe('bodies', () => {
  test('a huge body is as long as it is asked to be', async () => {
    const response = await get('/huge-body?mb=3');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(3 * 1024 * 1024);
    expect(response.headers.has('content-length')).toBe(false);
  });

  test('the five megabytes and the deep page are what they say', async () => {
    expect((await rawBody('/long-page')).length).toBeGreaterThan(5 * 1024 * 1024);
    const deep = await (await get('/deep-nesting')).text();
    expect(deep.split('<div>')).toHaveLength(20_001);
    expect(await (await get('/nul-bytes')).text()).toContain('mi\u0000ll');
  });

  test('the huge length is declared, not sent', async () => {
    const stop = new AbortController();
    const response = await get('/huge-length', { signal: stop.signal });
    expect(Number(response.headers.get('content-length'))).toBe(10 * 1024 ** 3);
    stop.abort();
  });

  test('the drip is slow: a byte at a time', async () => {
    const stop = new AbortController();
    const response = await get('/drip', { signal: stop.signal });
    const reader = response.body?.getReader();
    const parts = [await reader?.read(), await reader?.read()];
    expect(parts.map((part) => part?.value?.length)).toEqual([1, 1]);
    stop.abort();
  });

  test.each(['/cut', '/cut-chunked', '/reset'])('%s never ends well', async (path) => {
    await expect(get(path).then((response) => response.text())).rejects.toThrow();
  });

  test('a hanging body has headers', async () => {
    const stop = new AbortController();
    expect((await get('/hang-body', { signal: stop.signal })).status).toBe(200);
    stop.abort();
  });
});

describe('encodings', () => {
  test.each(['/gzip', '/br', '/deflate', '/gzip-twice'])('%s can be undone', async (path) => {
    expect(await (await get(path)).text()).toContain('tide mill of Port Ellery');
  });

  test('raw deflate, bad gzip and cut gzip are what they say', async () => {
    expect(zlib.inflateRawSync(await rawBody('/deflate-raw')).toString()).toContain('Port Ellery');
    const [bad, cut] = [await rawBody('/gzip-bad'), await rawBody('/gzip-cut')];
    expect(() => zlib.gunzipSync(bad)).toThrow();
    expect(() => zlib.gunzipSync(cut)).toThrow();
  });

  test('the bomb is valid gzip of the promised size, and small', async () => {
    const packed = gzipOfZeros(8);
    const plain = zlib.gunzipSync(packed);
    expect([plain.length, plain.every((byte) => byte === 0)]).toEqual([8 * 1024 * 1024, true]);
    const bomb = await rawBody('/gzip-bomb');
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(bomb.readUInt32LE(bomb.length - 4)).toBe(500 * 1024 * 1024);
  });
});

describe('answers and documents', () => {
  test.each([
    ['/no-content', 204],
    ['/not-found', 404],
    ['/gone', 410],
    ['/server-error', 500],
    ['/sign-in', 401],
    ['/payment-required', 402],
    ['/bot-check', 403],
    ['/soft-404', 200],
    ['/shell', 200],
    ['/consent', 200],
    ['/paywall', 200],
  ])('%s has status %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  test.each([
    ['/html-as-text', 'text/plain'],
    ['/html-unlabelled', null],
    ['/pdf-unlabelled', 'application/octet-stream'],
    ['/rss', 'application/rss+xml'],
    ['/image', 'image/png'],
    ['/zip', 'application/zip'],
  ])('%s is labelled %s', async (path, type) => {
    expect((await get(path)).headers.get('content-type')).toBe(type);
  });

  test('the PDF has three pages and a table of its objects that is right', async () => {
    const pdf = (await rawBody('/pdf')).toString('latin1');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
    const rows = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) =>
      Number(at),
    );
    expect(pdf.slice(start)).toMatch(/^xref\n/);
    rows.forEach((at, index) => {
      expect(pdf.slice(at)).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
    });
    expect(pdf.match(/\/Type \/Page /g)).toHaveLength(3);
    for (const [, length, text] of pdf.matchAll(
      /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g,
    )) {
      expect(text).toHaveLength(Number(length));
    }
    expect((await rawBody('/pdf-encrypted')).toString('latin1')).toContain('/Encrypt');
    expect((await rawBody('/pdf-broken')).toString('latin1')).not.toContain('%%EOF');
  });
});
