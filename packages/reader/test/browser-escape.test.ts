import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DISABLED_FEATURES } from '../src/browser/browser-process.ts';
import {
  drawnBy,
  isThere,
  rendererFor,
  SKIPPED,
  TEST_TIMEOUT_MS,
} from './browser-support/browsers.ts';
import { hostilePage, WAYS } from './browser-support/hostile-page.ts';

/** Servers that must not receive anything: connections for one, packets for the other. */
async function setTraps() {
  const seen: string[] = [];
  const tcp = await serveTcp((socket) => {
    seen.push('connection');
    socket.on('data', (data) => seen.push(data.toString()));
  });
  const udp = createSocket('udp4', (packet) => seen.push(`packet ${packet.toString('hex')}`));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  onTestFinished(() => void udp.close());
  return { seen, tcpPort: tcp.port, udpPort: udp.address().port };
}

test('Chromium has all features turned off that its driver turns off', () => {
  const driver = createRequire(import.meta.url).resolve('playwright-core');
  const [, list = ''] =
    /disabledFeatures = \[([^\]]{1,5000})\]/.exec(
      readFileSync(join(dirname(driver), 'lib/coreBundle.js'), 'utf8'),
    ) ?? [];
  const names = [...list.matchAll(/^\s*"(\w{1,99})"/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(DISABLED_FEATURES).toEqual(expect.arrayContaining(names));
});

describe.skipIf(!isThere)(`a rendered page${SKIPPED}`, { timeout: TEST_TIMEOUT_MS }, () => {
  test('finds no way past the guard, whatever it tries', async () => {
    const traps = await setTraps();
    const trap = `http://127.0.0.1:${traps.tcpPort}`;
    const held: ServerResponse[] = [];
    const site = await serveHttp((response, { url }) => {
      if (url === '/hold') held.push(response);
      else if (url === '/release') for (const one of [...held, response]) one.end();
      else if (url === '/to-trap')
        response.writeHead(302, { location: `${trap}/redirected` }).end();
      else if (url === '/service-worker.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(`fetch('${trap}/service-worker', { mode: 'no-cors' })`);
      } else {
        response.writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy-report-only': `default-src 'none'; report-uri ${trap}/report`,
        });
        response.end(hostilePage(traps));
      }
    });
    const { render, faults } = rendererFor({
      allowed: `127.0.0.1:${site.port}`,
      // every name resolves to this machine
      resolve: async () => ['127.0.0.1'],
    });
    const drawn = drawnBy(await render(site.url));
    const outcomes = [...drawn.matchAll(/<p>(\w+): ([^<]*)<\/p>/g)].map(([, ...way]) => way);
    expect(outcomes).toEqual(WAYS.map((way) => [way, 'refused']));
    expect(traps.seen).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('cannot lead the browser to forbidden addresses', async () => {
    const traps = await setTraps();
    const targets = [
      `http://127.0.0.1:${traps.tcpPort}/`,
      `http://rebind.example.com:${traps.tcpPort}/`,
      'file:///etc/passwd',
      '/disallowed',
    ];
    const site = await serveHttp((response, { url }) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<p>left</p><script>location.href = '${targets[Number(url.slice(1))]}'</script>`),
    );
    const { render } = rendererFor({
      allowed: `127.0.0.1:${site.port}`,
      resolve: async () => ['127.0.0.1'],
      refusal: async ({ pathname }) =>
        pathname === '/disallowed' ? { code: 'blocked', reason: 'by robots.txt' } : null,
    });
    const pages = targets.map((_target, index) => render(`${site.url}/${index}`));
    const drawn = await Promise.all(pages);
    // whether the browser gives up before the limit depends on timing
    for (const page of drawn) expect(drawnBy(page)).toMatch(/^<[a-z ]+>$|<p>left<\/p>/);
    expect(site.received).toHaveLength(targets.length);
    expect(traps.seen).toEqual([]);
  });
});
