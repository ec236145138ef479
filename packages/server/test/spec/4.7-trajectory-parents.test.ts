import { randomUUID } from 'node:crypto';
import type { TrajectoryNode } from '@trawl/contract';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { at } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered, newProject, recordAll, UUID } from '../support/recorded.ts';

/** A tree of interactions, each named by its place in the order of recording. */
type Shape = { readonly [name: string]: Shape };

describeMainlyOn('SQLite', 'parents in a trajectory', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  async function read(sessionId: string, query = ''): Promise<TrajectoryNode> {
    const path = `/v1/sessions/${sessionId}/trajectory${query}`;
    return answered('sessionTrajectory', await server.call('GET', path)).trajectory;
  }

  /**
   * Posts interactions one after another; `metadata` may name the trajectory ids of others by their
   * names.
   */
  async function post(
    sessionId: string,
    named: Record<string, { readonly trajectory?: string; readonly parent?: string }>,
  ) {
    const idOf = new Map<string, string>();
    const trajectory = (name: string) => {
      const id = idOf.get(name) ?? randomUUID();
      idOf.set(name, id);
      return id;
    };
    const nameOf = new Map<string, string>();
    for (const [name, given] of Object.entries(named)) {
      const metadata = {
        trajectory_id: trajectory(given.trajectory ?? name),
        ...(given.parent ? { parent_trajectory_id: trajectory(given.parent) } : {}),
      };
      const body = { session_id: sessionId, metadata };
      const { json } = await server.call('POST', '/v1/interactions', { body });
      nameOf.set(json.interaction_id, name);
    }
    const shapeOf = ({ children }: TrajectoryNode): Shape =>
      Object.fromEntries(
        children.map((child) => [nameOf.get(child.entity_id ?? '') ?? '?', shapeOf(child)]),
      );
    return { shape: shapeOf(await read(sessionId)), trajectory };
  }

  it('4.7 a parent in the same session is the parent', async () => {
    const { shape } = await post(randomUUID(), {
      a: {},
      b: { parent: 'a' },
      c: { parent: 'b' },
      d: { parent: 'a' },
      e: {},
    });
    expect(shape).toEqual({ a: { b: { c: {} }, d: {} }, e: {} });
  });

  it('4.7 each interaction node names its parent_trajectory_id, so that pages can be joined', async () => {
    const session = randomUUID();
    const { trajectory } = await post(session, { parent: {}, child: { parent: 'parent' } });
    const whole = await read(session);
    const below = whole.children[0]?.children[0];
    const first = await read(session, '?limit=1');
    const second = await read(session, `?after=${first.children[0]?.entity_id}`);
    // the parent is on the page before, so the child is below the session
    expect(second.children[0]?.parent_id).toBe(session);
    for (const child of [below, second.children[0]]) {
      expect(child?.data.parent_trajectory_id).toBe(trajectory('parent'));
    }
    for (const parent of [whole.children[0], first.children[0]]) {
      expect(parent?.data).toMatchObject({
        trajectory_id: trajectory('parent'),
        parent_trajectory_id: null,
      });
    }
  });

  it('4.7 a parent that is recorded after its child is the parent too', async () => {
    const { shape } = await post(randomUUID(), { child: { parent: 'late' }, other: {}, late: {} });
    expect(shape).toEqual({ other: {}, late: { child: {} } });
  });

  it('4.7 siblings are in time order, below the root and below a parent', async () => {
    const session = randomUUID();
    const named = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `n${index}`,
        index % 3 === 0 ? {} : { parent: 'n0' },
      ]),
    );
    const { shape } = await post(session, named);
    expect(Object.keys(shape)).toEqual(['n0', 'n3', 'n6', 'n9']);
    expect(Object.keys(shape.n0 ?? {})).toEqual(
      [1, 2, 4, 5, 7, 8, 10, 11].map((index) => `n${index}`),
    );
  });

  it('4.7 of several interactions with one trajectory_id the first is the parent', async () => {
    const { shape } = await post(randomUUID(), {
      first: { trajectory: 'shared' },
      second: { trajectory: 'shared' },
      child: { parent: 'shared' },
      third: { trajectory: 'shared', parent: 'shared' },
    });
    expect(shape).toEqual({ first: { child: {}, third: {} }, second: {} });
  });

  it('4.7 an interaction that names itself as its parent is below the root', async () => {
    const { shape } = await post(randomUUID(), { a: { parent: 'a' }, b: { parent: 'a' } });
    expect(shape).toEqual({ a: { b: {} } });
  });

  it('4.7 the members of a cycle are below the root, and keep their children', async () => {
    const two = await post(randomUUID(), { a: { parent: 'b' }, b: { parent: 'a' } });
    expect(two.shape).toEqual({ a: {}, b: {} });
    const three = await post(randomUUID(), {
      tail: { parent: 'a' },
      a: { parent: 'c' },
      b: { parent: 'a' },
      c: { parent: 'b' },
      end: { parent: 'tail' },
    });
    expect(three.shape).toEqual({ a: { tail: { end: {} } }, b: {}, c: {} });
  });

  it('4.7 an unknown parent is the root, and stays in the answer as it was given', async () => {
    const session = randomUUID();
    const { shape, trajectory } = await post(session, { a: { parent: 'nowhere' } });
    expect(shape).toEqual({ a: {} });
    const [node] = (await read(session)).children;
    const path = `/v1/interactions?session_id=${session}&interaction_id=${node?.entity_id}`;
    expect((await server.call('GET', path)).json.parent_trajectory_id).toBe(trajectory('nowhere'));
  });

  it('4.7 a parent in another session or project is the root', async () => {
    const parent = { trajectory_id: randomUUID() };
    const { key } = await newProject(server);
    for (const caller of [server.key, key]) {
      await server.call('POST', '/v1/interactions', { body: { metadata: parent }, key: caller });
    }
    const metadata = { parent_trajectory_id: parent.trajectory_id };
    const { json } = await server.call('POST', '/v1/interactions', { body: { metadata } });
    const [node] = (await read(json.session_id)).children;
    expect(node).toMatchObject({ entity_id: json.interaction_id, parent_id: json.session_id });
  });

  it('4.7 a parent on an earlier page leaves its child below the root', async () => {
    const sessionId = randomUUID();
    const [parent, child] = [randomUUID(), randomUUID()];
    await recordAll(server, [
      { sessionId, id: parent, trajectoryId: parent, createdAt: at(0) },
      { sessionId, id: child, parentTrajectoryId: parent, createdAt: at(1) },
    ]);
    expect((await read(sessionId)).children[0]?.children[0]?.entity_id).toBe(child);
    const [only] = (await read(sessionId, `?after=${parent}`)).children;
    expect(only).toMatchObject({ entity_id: child, parent_id: sessionId });
  });

  it('4.7 a chain of 3,000 interactions, each the parent of the next, is answered', async () => {
    const sessionId = randomUUID();
    const ids = Array.from({ length: 3_000 }, () => randomUUID());
    await recordAll(
      server,
      ids.map((id, index) => ({
        id,
        sessionId,
        trajectoryId: id,
        parentTrajectoryId: ids[index - 1] ?? null,
        createdAt: at(index),
      })),
    );
    const answer = await server.call('GET', `/v1/sessions/${sessionId}/trajectory`);
    expect(answer.status).toBe(200);
    const chain: (string | undefined)[] = [];
    let node: TrajectoryNode | undefined = answer.json.trajectory.children[0];
    for (; node; node = node.children[0]) chain.push(node.entity_id);
    expect(chain).toEqual(ids);
  });

  it('4.7 every interaction has a trajectory_id, its own unless metadata names one', async () => {
    const own = await server.search({ user_input: { query: 'x' } });
    const other = await server.call('POST', '/v1/interactions', { body: { metadata: {} } });
    expect(own.json.trajectory_id).toMatch(UUID);
    expect(other.json.trajectory_id).toMatch(UUID);
    expect(other.json.trajectory_id).not.toBe(own.json.trajectory_id);
  });

  it('4.7 metadata sets trajectory_id, parent_trajectory_id and trajectory_goal of the answer, ids in lower case', async () => {
    const [trajectory_id, parent_trajectory_id] = [randomUUID(), randomUUID()];
    const trajectory_goal = 'find the 🛟 harbour';
    const metadata = {
      trajectory_id: trajectory_id.toUpperCase(),
      parent_trajectory_id: parent_trajectory_id.toUpperCase(),
      trajectory_goal,
    };
    const { json } = await server.search({ user_input: { query: 'x' }, metadata });
    expect(json).toMatchObject({ trajectory_id, parent_trajectory_id, trajectory_goal });
    const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
    const read = answered('readInteraction', await server.call('GET', path));
    expect(read).toEqual({ ...json, user_input: { query: 'x' }, metadata });
  });

  it.each([
    ['numbers', { trajectory_id: 5, parent_trajectory_id: 1.5, trajectory_goal: 7 }],
    ['null', { trajectory_id: null, parent_trajectory_id: null, trajectory_goal: null }],
    ['objects', { trajectory_id: {}, parent_trajectory_id: [], trajectory_goal: { text: 'x' } }],
    [
      'texts that are not a uuid',
      { trajectory_id: 'step-1', parent_trajectory_id: randomUUID().replaceAll('-', '') },
    ],
  ])('4.7 trajectory values of another form (%s) are plain metadata', async (_name, metadata) => {
    const body = { metadata };
    const { json } = await server.call('POST', '/v1/interactions', { body });
    expect(json.trajectory_id).toMatch(UUID);
    expect(json).not.toHaveProperty('parent_trajectory_id');
    expect(json).not.toHaveProperty('trajectory_goal');
    const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
    const read = answered('readInteraction', await server.call('GET', path));
    expect(read).toEqual({ ...json, user_input: null, metadata });
  });
});
