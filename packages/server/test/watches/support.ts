import { MINUTE_MS, systemClock } from '@trawl/base';
import type { TestServer } from '@trawl/test-support/harness';
import {
  type EndOfTest,
  type HttpLoopback,
  sendJson,
  serveHttp,
} from '@trawl/test-support/loopback';
import { expect, vi } from 'vitest';

/** The cost of one search of exa. */
export const SEARCH_USD = 0.007;

/** A search of one provider, whose answers `startExa` gives. */
export const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa'] }, num_results: 10 },
};
export const HOURLY = { interval_minutes: 60, search: SEARCH };

/** A search provider whose rows the test sets. */
export interface Exa extends HttpLoopback {
  /** Paths of the pages that it finds. */
  rows: readonly string[];
  /** What it answers with instead of rows; 200 = rows. */
  status: number;
}

export async function startExa(test?: EndOfTest): Promise<Exa> {
  const state = { rows: ['a', 'b'] as readonly string[], status: 200 };
  const served = await serveHttp((response) => {
    const { rows, status } = state;
    if (status !== 200) return sendJson(response, { error: 'no' }, status);
    const results = rows.map((path) => ({
      id: path,
      url: `https://www.example.com/${path}`,
      title: `Page ${path}`,
    }));
    sendJson(response, { requestId: 'r', results, costDollars: { total: SEARCH_USD } });
  }, test);
  return Object.assign(state, served);
}

/** The same, whose answer waits for the test. */
export async function holdingExa() {
  let answer = () => {};
  let isAsked = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const exa = await serveHttp(async (response) => {
    isAsked();
    await answered;
    sendJson(response, { requestId: 'r', results: [], costDollars: { total: SEARCH_USD } });
  });
  return { ...exa, asked, answer };
}

/** The system's clock, which can be set ahead. */
export function movableClock() {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, now: () => Date.now() + aheadMs },
    passMinutes: (minutes: number) => {
      aheadMs += minutes * MINUTE_MS;
    },
  };
}

/** For a test of several runs. */
export const SLOW_MACHINE_MS = 120_000;

/** Looks often, so that a test need not wait. */
export const OFTEN = { lookMs: 20 };

type Caller = Pick<TestServer, 'call'>;

export async function addWatch(server: Caller, body: object = HOURLY, key?: string) {
  const { status, json } = await server.call('POST', '/v1/watches', {
    body,
    ...(key === undefined ? {} : { key }),
  });
  expect([status, json.detail]).toEqual([200, undefined]);
  return json;
}

export const readWatch = async (server: Caller, id: string) =>
  (await server.call('GET', `/v1/watches/${id}`)).json;

export const newsOf = async (server: Caller, id: string, query = '') =>
  (await server.call('GET', `/v1/watches/${id}/news${query}`)).json;

/** Waits for a run that began after another one, and answers the watch. */
export async function nextRun(server: Caller, id: string, before: string | null = null) {
  await vi.waitFor(async () => expect((await readWatch(server, id)).last_run_at).not.toBe(before), {
    timeout: 60_000,
  });
  return readWatch(server, id);
}

/** Interactions of the session of a watch. */
export async function runsOf(server: Caller, sessionId: string, key?: string) {
  const path = `/v1/sessions/${sessionId}/history?type=full`;
  const { json } = await server.call('GET', path, key === undefined ? {} : { key });
  return json.interactions;
}
