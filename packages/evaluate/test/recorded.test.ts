import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPlace, type Place } from './program.ts';

/** Real answers of vendors, which are not part of the repository. */
// the command works in a folder of its own
const FOLDER = resolve(process.env.RECORDED_ANSWERS ?? '../shared/recorded');
const hasRecordings = existsSync(FOLDER);
const reason = hasRecordings
  ? ''
  : ' (skipped: optional: the recorded answers are not part of the repository; RECORDED_ANSWERS names their folder)';

const KERNEL = 'What is the Semantic Kernel?';
/** What the vendors answered to these queries. To others they answer nothing. */
const ANSWERS: Readonly<Record<string, string>> = {
  [`brave ${KERNEL}`]: 'brave/search/semantic-kernel-site-filter.json',
  [`tavily ${KERNEL}`]: 'tavily/search/semantic-kernel-site-filter.json',
  'brave Laravel': 'brave/search/larallama-laravel.json',
  'tavily What is Pydantic AI?': 'tavily/search/pydantic-ai-basic-search.json',
};

describe.skipIf(!hasRecordings)(`real answers that were recorded${reason}`, () => {
  let vendors: Server;
  let server: TestServer;
  let place: Place;
  beforeAll(async () => {
    vendors = createServer(async (request, response) => {
      const asked = Buffer.concat(await request.toArray()).toString();
      const { searchParams } = new URL(request.url ?? '', 'http://vendors.test');
      const isTavily = request.method === 'POST';
      const query = isTavily ? JSON.parse(asked).query : searchParams.get('q');
      const file = ANSWERS[`${isTavily ? 'tavily' : 'brave'} ${query}`];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(file ? readFileSync(join(FOLDER, file)) : '{"results": [], "web": null}');
    });
    await new Promise<void>((resolve) => vendors.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
    server = await startTestServer({ env: { BRAVE_BASE_URL: url, TAVILY_BASE_URL: url } });
    place = await newPlace(server);
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
    vendors.close();
  });

  test('are distinguished from simulated ones, and so few of them decide nothing', async () => {
    const file = await place.setFile(
      [
        { query: KERNEL, gold_urls: ['http://learn.microsoft.com/en-us/semantic-kernel/overview'] },
        { query: 'Laravel', gold_urls: ['https://www.laravel.com'] },
        { query: 'What is Pydantic AI?', gold_urls: ['https://ai.pydantic.dev'] },
      ],
      'recorded-answers.jsonl',
    );
    const args = [file, '--providers', 'brave,tavily', '--yes', '--html', 'recorded.html'];
    const { code, stdout } = await place.evaluate([...args, '--json']);
    expect(code).toBe(0);
    const { rows, groups } = JSON.parse(stdout);
    expect(rows.simulated).toBe(0);
    expect(rows.real).toBeGreaterThan(10);
    const figures = groups[0].providers.map(
      ({ provider, success }: { provider: string; success: { mean: number } }) => [
        provider,
        Number(success.mean.toFixed(2)),
      ],
    );
    expect(Object.fromEntries(figures)).toEqual({ brave: 0.67, tavily: 0.33 });
    expect(groups[0].comparisons).toMatchObject([{ verdict: 'too few queries' }]);
    const page = readFileSync(join(place.folder, 'recorded.html'), 'utf8');
    expect(page).toContain('rows are on real host names');
    expect(page).not.toContain('SIMULATED');
  });
});
