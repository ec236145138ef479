import { randomUUID } from 'node:crypto';
import { ROUTES, type RouteId } from '@trawl/contract';
import type { InteractionRecord } from '@trawl/router';
import type { Answer, TestServer } from '@trawl/test-support/harness';
import { interactionRecord } from '@trawl/test-support/records';
import { expect } from 'vitest';
import { withoutHints } from './without-hints.ts';

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The recorder would refuse more at once. */
const AT_ONCE = 1_000;

/**
 * Writes interactions straight into the store of a running server: in the harness's own project and
 * without runs by default.
 */
export async function recordAll(
  server: TestServer,
  given: readonly Partial<InteractionRecord>[],
): Promise<void> {
  const { recorder } = server.server.store;
  const bare = { projectId: server.projectId, runs: [], ledger: [] };
  for (let from = 0; from < given.length; from += AT_ONCE) {
    const part = given.slice(from, from + AT_ONCE);
    await Promise.all(part.map((one) => recorder.record(interactionRecord({ ...bare, ...one }))));
  }
}

/** A key in a new project, and that project. */
export async function newProject(
  server: TestServer,
): Promise<{ readonly projectId: string; readonly key: string }> {
  const name = `project ${randomUUID()}`;
  const { key } = await server.makeKey(name);
  const wanted = { id: randomUUID(), name, createdAt: '' };
  const { id } = await server.server.store.keys.ensureProject(wanted);
  return { projectId: id, key };
}

/** Expects a 200 in the shape that the contract gives the route, and returns its JSON. */
export function answered(route: RouteId, answer: Answer): Answer['json'] {
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  expect(ROUTES[route].response.safeParse(answer.json).error).toBeUndefined();
  return answer.json;
}

/** Expects a 422 and returns its entries. */
export function refused(answer: Answer): Answer['json'] {
  expect(answer.status, answer.text.slice(0, 500)).toBe(422);
  expect(Object.keys(answer.json)).toEqual(['detail']);
  return withoutHints(answer.json).detail;
}

/** An unused uuid. */
export const UNKNOWN = '00000000-0000-4000-8000-0000000000ff';

/** The entry for a text that is not a UUID. */
export const badUuid = (loc: readonly string[], input: string) => ({
  type: 'uuid_parsing',
  loc,
  msg: expect.stringMatching(/^Input should be a valid UUID, /),
  input,
  ctx: { error: expect.any(String) },
});
