import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createHostCheck } from '../../src/config/allowed-hosts.ts';
import { addConsoleSite } from '../../src/sites/console-site.ts';
import { answerOf, testApp } from './app.ts';

const HTML = '<meta property="csp-nonce" nonce="__CSP_NONCE__"><div id="root"></div>';
const SCRIPT = 'document.title = "trawl"';

const folder = mkdtempSync(join(tmpdir(), 'trawl-console-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeBuild();

/** A build as scripts/console makes it. */
function writeBuild(): void {
  const files = join(folder, 'files');
  mkdirSync(files);
  for (const [name, text] of Object.entries({ 'index.html': HTML, 'main.js': SCRIPT })) {
    writeFileSync(join(files, name), text);
    writeFileSync(join(files, `${name}.gz`), gzipSync(text));
    writeFileSync(join(files, `${name}.br`), brotliCompressSync(text));
  }
  const script = { file: 'main.js', hash: 'abc', type: 'text/javascript', immutable: true };
  const notFound = { file: 'index.html', hash: 'def', type: 'text/html; charset=utf-8' };
  const routes = { '/console/assets/main-1.js': script };
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ routes, notFound }));
}

const { app } = testApp();
const checkHost = createHostCheck({ allowedHosts: undefined, publicUrl: 'https://trawl.example' });
addConsoleSite(app, { checkHost, folder: pathToFileURL(`${folder}/`) });
const ask = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });

describe('a page of the console', () => {
  test.each([
    '/console',
    '/console/',
    '/console/p/7/sessions?peek=1',
    '/console/a.b',
    '/console/apiary',
  ])('%s shows what its address names', async (path) => {
    const page = await ask(path);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('<div id="root">');
  });

  test('has a fresh nonce in its policy and in its text, so no cache may keep it', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const page = await ask('/console');
        const policy = page.headers.get('content-security-policy') ?? '';
        const [, nonce] = /style-src 'self' 'nonce-([\w+/=]+)'/.exec(policy) ?? [];
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(policy).not.toContain('trusted-types');
        expect(page.headers.get('cache-control')).toBe('no-cache');
        expect(page.headers.get('referrer-policy')).toBe('same-origin');
        expect(await page.text()).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
    expect(String(nonces[0])).toHaveLength(24);
  });

  test('is shown at a name of this server only', async () => {
    expect((await ask('/console', { host: 'trawl.example' })).status).toBe(200);
    const foreign = await answerOf(ask('/console', { host: 'attacker.example' }));
    expect([foreign.status, foreign.body.detail]).toEqual([
      403,
      expect.stringContaining('ALLOWED_HOSTS'),
    ]);
  });
});

describe('a file of the console', () => {
  test('is compressed and kept for good', async () => {
    const file = await ask('/console/assets/main-1.js', { 'accept-encoding': 'br' });
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(brotliDecompressSync(await file.arrayBuffer()).toString()).toBe(SCRIPT);
  });

  test('is not a page when it is missing, as after an update', async () => {
    const file = await answerOf(ask('/console/assets/main-2.js'));
    expect([file.status, file.body]).toEqual([404, { detail: 'Not Found' }]);
  });
});

test.each(['/console/api', '/console/api/session'])(
  'a page does not hide that %s is missing',
  async (path) => {
    expect((await ask(path)).status).toBe(404);
  },
);

test('a program without the console says how to make it', async () => {
  const { app: bare } = testApp();
  addConsoleSite(bare, { checkHost });
  const page = await answerOf(bare.request('/console'));
  expect([page.status, page.body.detail]).toEqual([404, expect.stringContaining('npm run build')]);
});
