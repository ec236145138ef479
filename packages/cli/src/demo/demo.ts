import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClosers, createLogOutput, type LogOutput, systemClock } from '@trawl/base';
import { pagesOf, Trawl } from '@trawl/client';
import { commandHere } from '@trawl/client/terminal/manifest';
import { print } from '@trawl/client/terminal/output';
import { sayOutputIsLost } from '@trawl/client/terminal/standard-output';
import { styleOf } from '@trawl/client/terminal/style';
import { consoleBranch, createSetupCode } from '@trawl/console-api';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import {
  createLog,
  ensureProject,
  issueKey,
  type RunningServer,
  readConfig,
  startServer,
} from '@trawl/server';
import { endSoon, isPortTaken } from '../program/failures.ts';
import type { Runtime } from '../program/runtime.ts';
import { untilStopped } from '../program/signals.ts';
import { UsageError } from '../program/usage-error.ts';
import { setEngineFlags } from '../server/engine-flags.ts';
import { mcpMount } from '../server/mcp-mount.ts';
import { recordHistory } from './demo-history.ts';
import { type DemoFacts, demoText } from './demo-text.ts';

export interface DemoOptions {
  /** Exit after the output. */
  readonly once: boolean;
  /** Ask every simulated provider instead of three. */
  readonly all: boolean;
  /** Instead of `PORT`. */
  readonly port?: string | undefined;
}

const LOG_LEVEL = 'warn';
const QUERY = 'tidal power plants';
const PROVIDERS_SHOWN = 3;

/**
 * Starts the sandbox and a server with a temporary database, makes a project and a key, and shows
 * one search, its merged list, two quotes and a page. Keeps serving unless `once`. Removes
 * everything it made at the end.
 */
export async function demo(runtime: Runtime, { once, all, port }: DemoOptions): Promise<void> {
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
    const account = demoAccount();
    const simulation = { sandbox, folder, account, log, output };
    const server = await startOnSandbox(withPort(runtime, port), simulation);
    closers.push(() => server.stop());
    const key = await makeKey(server);
    const client = new Trawl({ baseUrl: server.url, apiKey: key });
    print(demoText(await tryOut(client, all), bold));
    if (once) return;
    await setUpConsole(server, account);
    await recordHistory(client);
    // it can be stopped from the moment at which it says so
    const stopped = untilStopped(
      async () => {},
      (error, what) => log.fatal({ err: error }, what),
    );
    print(nextSteps(server.url, key));
    print(
      bold(`Serving until Ctrl-C. The console, its sign-in filled in: ${server.url}/console\n`),
    );
    await stopped;
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
  /** Where its database is. */
  readonly folder: string;
  readonly account: DemoAccount;
  readonly log: ReturnType<typeof createLog>;
  readonly output: LogOutput;
}

async function startOnSandbox(
  { environment, version, workerUrl, extractWorkerUrl }: Runtime,
  { sandbox, folder, account, log, output }: Simulation,
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

async function makeKey(server: RunningServer): Promise<string> {
  const project = await ensureProject(server.store.keys, systemClock, 'demo');
  const { key } = await issueKey(server.store.keys, systemClock, {
    projectId: project.id,
    name: 'demo',
    permissions: ['search', 'fetch', 'read', 'manage'],
    expiresAt: null,
  });
  return key;
}

/** One search, two quotes of its first row, of which one is changed, and its first page. */
async function tryOut(client: Trawl, all: boolean): Promise<DemoFacts> {
  const { preprocessors } = await client.preprocessors();
  const names = preprocessors.filter(({ configured }) => configured).map(({ slug }) => slug);
  const include = all ? names : names.slice(0, PROVIDERS_SHOWN);
  const search = {
    user_input: { query: QUERY },
    search: { num_results: 3, merge: true, providers: { include } },
  };
  const searchPlan = await client.searchDryRun(search);
  const answer = await client.search(search);
  const merged = answer.merged?.[0]?.rows ?? [];
  const sentence = shortSentence(merged[0]?.summary ?? '');
  const lastWord = sentence.lastIndexOf(' ');
  const texts = [sentence, `${sentence.slice(0, lastWord)} not${sentence.slice(lastWord)}`];
  const session = answer.session_id;
  const { quotes } = await client.verify({
    session_id: session,
    quotes: texts.map((text) => ({ text })),
  });
  const page = { urls: merged.slice(0, 1).map(({ url }) => url), session_id: session };
  const fetchPlan = await client.fetchDryRun(page);
  const fetched = await client.fetch(page);
  return {
    query: QUERY,
    searchPlan,
    fetchPlan,
    runs: answer.preprocessor_runs,
    merged,
    quotes: quotes.map((quote, index) => ({ ...quote, text: texts[index] ?? '' })),
    page: pagesOf(fetched)[0],
  };
}

const SENTENCE_MIN = 30;

/** One that fits into a line, without quotation marks of its own. */
function shortSentence(text: string): string {
  const sentences = text.split(/(?<=\.) /).filter((one) => !one.includes('"'));
  const [first = text] = sentences
    .filter(({ length }) => length >= SENTENCE_MIN)
    .toSorted((one, other) => one.length - other.length);
  return first;
}

const nextSteps = (url: string, key: string): string =>
  [
    '',
    'Ask it yourself, in a second terminal:',
    `  export SERVICE_BASE_URL=${url} SERVICE_API_KEY=${key}`,
    `  ${commandHere()} search 'heat pumps in old houses' --merge`,
    '',
  ].join('\n');

/** The account of the demo's console, which its sign-in page fills in. */
interface DemoAccount {
  readonly email: string;
  readonly password: string;
}

/** A password of its own for each demo, since someone else may reach the port. */
const demoAccount = (): DemoAccount => ({
  email: 'demo@example.com',
  password: randomBytes(12).toString('base64url'),
});

/** Makes the account, in the way in which a person makes the first one. */
async function setUpConsole(
  { url, store }: RunningServer,
  { email, password }: DemoAccount,
): Promise<void> {
  const code = await createSetupCode(store, systemClock);
  const response = await fetch(`${url}/console/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ code, email, name: 'Demo', password }),
  });
  if (!response.ok)
    throw new Error(`the console answered ${response.status}: ${await response.text()}`);
}
