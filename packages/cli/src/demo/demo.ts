import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClosers, createLogOutput, type LogOutput, systemClock } from '@trawl/base';
import { print } from '@trawl/client/terminal/output';
import { type Painter, styleOf } from '@trawl/client/terminal/style';
import { consoleBranch } from '@trawl/console-api';
import type { FetchRun, SearchRun } from '@trawl/contract';
import { type Sandbox, type Site, startSandbox, startSite } from '@trawl/sandbox';
import {
  createLog,
  ensureProject,
  issueKey,
  type RunningServer,
  readConfig,
  startServer,
} from '@trawl/server';
import { endSoon } from '../program/failures.ts';
import { isPortTaken } from '../program/port-taken.ts';
import type { Runtime } from '../program/runtime.ts';
import { untilStopped } from '../program/signals.ts';
import { sayOutputIsLost } from '../program/standard-output.ts';
import { UsageError } from '../program/usage-error.ts';
import { setEngineFlags } from '../serve/engine-flags.ts';
import { mcpMount } from '../serve/mcp-mount.ts';
import { type DemoAccount, demoAccount, setUpConsole } from './demo-console.ts';
import { fetchText } from './demo-fetch.ts';
import { recordHistory } from './demo-history.ts';
import { countText, gapsText, queryText } from './demo-search.ts';

export interface DemoOptions {
  /** Exit after the output. */
  readonly once: boolean;
  /** Instead of `PORT`. */
  readonly port?: string | undefined;
}

const LOG_LEVEL = 'warn';
const QUERIES = ['how do tidal power plants work', 'node 20 permission model'];

/**
 * Starts the sandbox and a server with a temporary database, makes a project and a key, runs one
 * batch search and fetches a few pages. Keeps serving unless `once`. Removes everything it made at
 * the end.
 */
export async function demo(runtime: Runtime, { once, port }: DemoOptions): Promise<void> {
  sayOutputIsLost();
  const { bold } = styleOf(process.stdout, runtime.environment);
  const output = createLogOutput(process.stderr, () => {});
  const log = createLog(LOG_LEVEL, output);
  const folder = await mkdtemp(join(tmpdir(), 'trawl-demo-'));
  const closers = createClosers();
  closers.push(() => rm(folder, { recursive: true, force: true }));
  try {
    const sandbox = await startSandbox();
    closers.push(() => sandbox.stop());
    const site = await startSite();
    closers.push(() => site.stop());
    const account = demoAccount();
    const simulation = { sandbox, site, folder, account, log, output };
    const server = await startOnSandbox(withPort(runtime, port), simulation);
    closers.push(() => server.stop());
    const { key, projectId } = await makeKey(server);
    print(banner());
    const providers = await roster(server.url);
    const body = {
      user_input: QUERIES.map((query) => ({ query })),
      search: {
        tier: 'extended',
        num_results: 2,
        providers: { include: providers },
      },
    };
    const answer: Answer<SearchRun> = await post(server.url, '/v1/search', key, body);
    const costs = await server.store.reader.ledger(projectId, answer.interaction_id);
    const costOf = new Map(costs.map((row) => [row.runId, row]));
    const [first = [], ...others] = [...QUERIES.keys()].map((index) =>
      answer.preprocessor_runs.filter((run) => run.batch_index === index),
    );
    print(queryText(first, costOf, bold));
    for (const runs of others) print(countText(runs, bold));
    print(gapsText(answer.preprocessor_runs));
    const fetchPages = async (request: object) => {
      const fetched: Answer<FetchRun> = await post(server.url, '/v1/fetch', key, request);
      return fetched.preprocessor_runs[0]?.output_payload?.fetched_results ?? [];
    };
    print(await fetchText(fetchPages, firstUrl(answer), site.url, bold));
    print(nextSteps(runtime, { url: server.url, key }, answer, bold));
    if (once) return;
    await setUpConsole(server, account);
    await recordHistory((path, request) => post(server.url, path, key, request), providers);
    print(consoleText(server.url, account, bold));
    print(bold('\nServing until Ctrl-C.\n'));
    await untilStopped(
      async () => {},
      (error, what) => log.fatal({ err: error }, what),
    );
  } finally {
    await closers.close();
    endSoon();
  }
}

/** @throws UsageError when the text is not a port number */
function withPort(runtime: Runtime, port: string | undefined): Runtime {
  if (port === undefined) return runtime;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError('--port takes 0 to 65535');
  return { ...runtime, environment: { ...runtime.environment, PORT: port } };
}

interface Simulation {
  readonly sandbox: Sandbox;
  readonly site: Site;
  /** Where its database is. */
  readonly folder: string;
  readonly account: DemoAccount;
  readonly log: ReturnType<typeof createLog>;
  readonly output: LogOutput;
}

async function startOnSandbox(
  { environment, version, workerUrl, extractWorkerUrl }: Runtime,
  { sandbox, site, folder, account, log, output }: Simulation,
): Promise<RunningServer> {
  const address = { HOST: environment.HOST, PORT: environment.PORT };
  const config = readConfig({
    ...address,
    ...sandbox.allSettings(() => 'sandbox'),
    DATA_DIR: folder,
    LOG_LEVEL,
    // simulated sources answer as often as they are asked
    SOURCE_PACE: 'off',
    CONTACT: 'demo@example.com',
    // the sandbox's own site is on this machine
    FETCH_ALLOW_PRIVATE_HOSTS: new URL(site.url).host,
  });
  const mounts = [mcpMount({ version, log })];
  const branches = [consoleBranch({ demo: account })];
  const workers = { workerUrl, extractWorkerUrl };
  const parts = { version, ...workers, mounts, branches, logLinesLost: output.linesLost };
  setEngineFlags();
  try {
    return await startServer(config, log, parts);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (environment.PORT || !isPortTaken(cause)) {
      throw error;
    }
    print(`Port ${config.port} is in use; the demo picks a free one.\n`);
    return startServer({ ...config, port: 0 }, log, parts);
  }
}

async function makeKey(server: RunningServer) {
  const project = await ensureProject(server.store.keys, systemClock, 'demo');
  const { key } = await issueKey(server.store.keys, systemClock, {
    projectId: project.id,
    name: 'demo',
    permissions: ['search', 'fetch', 'read'],
    expiresAt: null,
  });
  return { key, projectId: project.id };
}

interface Answer<Run = SearchRun> {
  readonly session_id: string;
  readonly interaction_id: string;
  readonly preprocessor_runs: readonly Run[];
}

const firstUrl = ({ preprocessor_runs: runs }: Answer): string =>
  runs.flatMap((run) => run.output_payload?.results ?? [])[0]?.url ?? 'https://example.com/';

async function post<Run>(
  url: string,
  path: string,
  key: string,
  body: object,
): Promise<Answer<Run>> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer<Run>;
}

/** The configured providers: all that the sandbox simulates. */
async function roster(url: string): Promise<readonly string[]> {
  const { preprocessors } = (await (await fetch(`${url}/v1/preprocessors`)).json()) as {
    preprocessors: readonly { slug: string; configured: boolean }[];
  };
  return preprocessors.filter(({ configured }) => configured).map(({ slug }) => slug);
}

function banner(): string {
  const line = '*'.repeat(78);
  return [
    line,
    '  SIMULATED PROVIDERS. Every title, text, price and URL below is made up by the',
    '  sandbox on this machine. Nothing left it, and nothing was paid.',
    line,
    '',
  ].join('\n');
}

function consoleText(url: string, { email, password }: DemoAccount, bold: Painter): string {
  return [
    bold('The console, with what was recorded'),
    `  ${url}/console`,
    `  sign in as ${email} with the password ${password} (of this demo only; the page fills it in)`,
    '',
  ].join('\n');
}

function nextSteps(
  { isClone }: Runtime,
  { url, key }: { readonly url: string; readonly key: string },
  { session_id, interaction_id }: Answer,
  bold: Painter,
): string {
  const example = JSON.stringify({
    user_input: { query: 'heat pumps in old houses' },
    search: { tier: 'max' },
  });
  return [
    '',
    bold('Try next'),
    `  curl -s ${url}/v1/search \\`,
    `    -H 'Authorization: Bearer ${key}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${example}'`,
    '',
    `  read it back     curl -s -H 'Authorization: Bearer ${key}' '${url}/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}'`,
    `  providers        ${url}/v1/preprocessors`,
    `  documentation    ${url}/docs, with the API reference`,
    `  OpenAPI          ${url}/openapi.json`,
    `  MCP (HTTP)       ${url}/mcp with the same Authorization header`,
    `  the real thing   ${isClone ? 'npm start' : 'trawl serve'}: searches real sources without a key; EXA_API_KEY=… BRAVE_API_KEY=… in front of it for more`,
    '',
  ].join('\n');
}
