import { execFileSync } from 'node:child_process';
import http from 'node:http';
import { type Site as PageSite, startSite } from '@trawl/sandbox';
import { databases } from '@trawl/test-support/databases';
import { newSite, type RunningServer, type Site, startServe } from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-descriptor-test';
/** More failures in a row than a circuit allows. */
const FAILURES = 6;

const hasPrlimit = (): boolean => {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

let site: Site;
let pages: PageSite;
let server: RunningServer;
/** Its connection is open before the server has no file descriptor left. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  const [sqlite] = databases;
  if (!sqlite) throw new Error('no database to test on');
  site = await newSite(sqlite);
  pages = await startSite();
  const settings = {
    ...site.settings,
    BOOTSTRAP_API_KEY,
    BREAKER: 'on',
    DIRECT_ROBOTS: 'on',
    // a name has to be looked up, which takes a file descriptor too
    BRAVE_BASE_URL: site.settings.BRAVE_BASE_URL?.replace('127.0.0.1', 'localhost'),
    FETCH_ALLOW_PRIVATE_HOSTS: new URL(pages.url).host,
  };
  server = await startServe({ settings, folder: site.folder });
});
afterAll(async () => {
  agent.destroy();
  await site.clear(server);
  await pages.stop();
});

/** Sends it over the one connection. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers by the contract's names
function post(path: string, body: object): Promise<any> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${BOOTSTRAP_API_KEY}`,
      'content-type': 'application/json',
    };
    const sent = http.request(
      `${server.url}${path}`,
      { agent, method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${answer.statusCode}: ${text}`));
        });
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

interface Run {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean };
}

const search = async (): Promise<readonly Run[]> => {
  const providers = { include: ['exa', 'brave'] };
  const wanted = { user_input: { query: 'harbour' }, search: { providers } };
  return (await post('/v1/search', wanted)).preprocessor_runs;
};

/** The number of file descriptors that the server may have, from now on. */
const limitDescriptors = (count: number): void =>
  void execFileSync('prlimit', ['--pid', String(server.child.pid), `--nofile=${count}:`]);

const missing = (provider: string) =>
  expect.objectContaining({
    code: 'internal_error',
    retryable: true,
    message: expect.stringContaining(
      `${provider} could not be asked, because this server has no file descriptor left (EMFILE): send fewer requests at once`,
    ),
  });

it('4.1 a call that fails for want of a file descriptor is our fault, and opens no circuit', async ({
  skip,
}) => {
  skip(!hasPrlimit(), 'optional: needs prlimit');
  await post('/v1/interactions', {});
  limitDescriptors(3);
  for (let failure = 0; failure < FAILURES; failure += 1) {
    const runs = await search();
    expect(runs.map(({ error }) => error)).toEqual([missing('exa'), missing('brave')]);
  }
  const page = { urls: [`${pages.url}/article`], options: { providers: ['direct'] } };
  const refused = expect(post('/v1/fetch', page)).rejects;
  await refused.toThrow(
    /502: .*direct could not read the page, because this server has no file descriptor left \(EMFILE\): send fewer/,
  );
  limitDescriptors(1_024);
  expect((await search()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  const again = (await post('/v1/fetch', page)).preprocessor_runs[0].output_payload;
  expect(again.fetched_results[0].status).toBe('succeeded');
});
