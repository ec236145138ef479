import type { Route } from '@trawl/contract';
import { apiKey } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import { createReplayScope } from '../../src/auth/replay-scope.ts';

const OWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';
const OTHER = '01a21ddb-2f1d-779c-94fb-2f086c1956e7';
const route = (given: Partial<Route>) =>
  ({ permission: 'search', path: '/v1/x', ...given }) as Route;
const READ = route({ permission: 'read' });

const scope = createReplayScope({
  sessionOf: async (_project, id) =>
    id.startsWith('own') ? OWN : id === 'gone' ? undefined : OTHER,
});
const check = (
  input: { params?: object; query?: object; body?: object },
  of = READ,
  replaySession: string | null = OWN,
) =>
  scope(apiKey('project', { replaySession }), of, {
    ...{ params: undefined, query: undefined, body: undefined },
    ...input,
  }).then(
    () => 'ok',
    ({ status }) => status,
  );

describe('a key that replays a session', () => {
  it('reads that session, wherever it is named and in whatever case', async () => {
    const named = { session_id: OWN.toUpperCase() };
    expect(await check({ params: named })).toBe('ok');
    expect(await check({ query: named })).toBe('ok');
    expect(await check({ body: named })).toBe('ok');
  });

  it('reads no other, also where its own is named too', async () => {
    const [own, other] = [{ session_id: OWN }, { session_id: OTHER }];
    expect(await check({ params: own, query: other })).toBe(404);
    expect(await check({ body: other })).toBe(404);
    expect(await check({ query: { ...own, interaction_id: 'other' } })).toBe(404);
  });

  it('reads interactions of it, of which the second counts too', async () => {
    const params = { interaction_id: 'own-1' };
    expect(await check({ params })).toBe('ok');
    expect(await check({ params, query: { with: 'own-2' } })).toBe('ok');
    expect(await check({ params, query: { with: 'other' } })).toBe(404);
    expect(await check({ params: { interaction_id: 'gone' } })).toBe(404);
  });

  it('reads nothing without naming it', async () => {
    expect(await check({})).toBe(403);
    expect(await check({}, route({ alsoNeeds: 'read' } as Partial<Route>))).toBe(403);
    expect(
      await check({ params: {} }, route({ path: '/v1/interactions/{interaction_id}/replay' })),
    ).toBe(403);
  });

  it('may search, and other keys may read everything', async () => {
    expect(await check({ body: { session_id: OTHER } }, route({}))).toBe('ok');
    expect(await check({ body: { session_id: OTHER } }, READ, null)).toBe('ok');
    expect(await check({}, READ, null)).toBe('ok');
  });
});
