import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asProgram } from '@trawl/test-support/as-program';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { PROGRAM } from '@trawl/test-support/program';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { runEvaluate } from '../src/main.ts';

/** A folder in which `trawl evaluate` runs against a server. */
export interface Place {
  readonly folder: string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ReturnType<typeof spawn>;
  evaluate(
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  setFile(rows: readonly object[], name?: string): Promise<string>;
  /** The whole lines of a run. */
  rowsOf(name: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** A server for the tests of a file, and an empty folder for each of them. */
export function testPlaces(): { readonly server: TestServer; readonly place: Place } {
  let server: TestServer;
  let place: Place;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    server.sandbox.clearCalls();
    place = await newPlace(server);
    return () => place.remove();
  });
  return {
    get server() {
      return server;
    },
    get place() {
      return place;
    },
  };
}

export async function newPlace(server: TestServer): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-evaluate-'));
  const settingsOf = (env: NodeJS.ProcessEnv = {}) => ({
    SERVICE_BASE_URL: server.url,
    SERVICE_API_KEY: server.key,
    ...env,
  });
  const start = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, ...settingsOf(env) },
    });
  return {
    folder,
    start: (args, env) => start(['evaluate', ...args], env),
    evaluate: (args, env) =>
      asProgram(() => runEvaluate(args, process.env, 'npx trawl evaluate'), {
        settings: settingsOf(env),
        folder,
      }),
    setFile: async (rows, name = 'mine.jsonl') => {
      await writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      return name;
    },
    rowsOf: async (name) => {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      return text.split('\n').slice(1, -1);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** What a model is asked. */
export interface Asked {
  readonly model: string;
  readonly rules: string;
  readonly content: string;
  readonly authorization: string | undefined;
  /** `max_tokens`, `temperature` and other parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface StubModel {
  readonly url: string;
  readonly asked: Asked[];
  stop(): void;
}

/** An OpenAI-compatible model. @param answer its text, or a whole answer; undefined = never */
export async function startModel(
  answer: (asked: Asked) => string | { readonly status: number; readonly body: string } | undefined,
): Promise<StubModel> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { model, messages, ...parameters } = JSON.parse(
      Buffer.concat(await request.toArray()).toString(),
    );
    const one: Asked = {
      model,
      rules: messages[0].content,
      content: messages[1].content,
      authorization: request.headers.authorization,
      parameters,
    };
    asked.push(one);
    const said = answer(one);
    if (said === undefined) return;
    const isText = typeof said === 'string';
    const body = isText
      ? JSON.stringify({
          choices: [{ message: { role: 'assistant', content: said } }],
          usage: { prompt_tokens: 100, completion_tokens: 10 },
        })
      : said.body;
    response.writeHead(isText ? 200 : said.status, { 'content-type': 'application/json' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
