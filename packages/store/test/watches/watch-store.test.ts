import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '@trawl/base';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { apiKey, at, interactionRecord, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StoredWatch } from '../../src/watches/watch-rows.ts';
import type { WatchClaim, WatchRunEnd } from '../../src/watches/watch-runs.ts';
import type { NewStoredWatch, WatchStore } from '../../src/watches/watch-store.ts';

const SEARCH = { user_input: { query: 'tides' } };
const START = Date.parse(at(0));
const minutes = (count: number) => START + count * MINUTE_MS;
const iso = (time: number) => new Date(time).toISOString();

describeOnDatabases('the store of watches', (kind) => {
  let opened: TestStore;
  let watches: WatchStore;
  beforeAll(async () => {
    opened = await kind.open();
    watches = opened.store.watches;
  });
  afterAll(() => opened.cleanup());

  /** A watch every 60 minutes of a new project, due at once. */
  async function made(given: Partial<NewStoredWatch> = {}): Promise<NewStoredWatch> {
    const projectId = given.projectId ?? (await newProject(opened.store));
    const key = apiKey(projectId);
    await opened.store.keys.createKey(key, key.id);
    const watch: NewStoredWatch = {
      id: randomUUID(),
      projectId,
      keyId: key.id,
      sessionId: randomUUID(),
      name: 'tides of the day',
      request: { search: SEARCH },
      intervalMinutes: 60,
      createdAt: at(0),
      ...given,
    };
    expect(await watches.create(watch, 10)).toBe(true);
    return watch;
  }
  const read = async ({ projectId, id }: NewStoredWatch): Promise<StoredWatch> => {
    const found = await watches.find(projectId, id);
    if (found === undefined) throw new Error('the watch is gone');
    return found;
  };
  async function claim(
    { id }: NewStoredWatch,
    now: number,
    until = now + 10 * MINUTE_MS,
  ): Promise<WatchClaim> {
    const claimed = await watches.claim(id, { claimId: randomUUID(), now, until });
    if (claimed === undefined) throw new Error('no claim');
    return claimed;
  }
  const item = (name: string, source = 'source') => ({
    source,
    item: name,
    body: { url: `https://example.com/${name}` } as never,
  });
  const ended = (endedAt: number, given: Partial<WatchRunEnd> = {}): WatchRunEnd => ({
    startedAt: endedAt - 1_000,
    endedAt,
    status: 'succeeded',
    error: null,
    interactionId: null,
    found: { answered: [], items: [] },
    ...given,
  });
  /** The id of a new interaction of the watch's project. */
  async function interaction({ projectId, sessionId }: NewStoredWatch): Promise<string> {
    const record = interactionRecord({ projectId, sessionId });
    await opened.store.recorder.record(record);
    return record.id;
  }
  /** A run at a time that has these items. */
  async function ran(
    watch: NewStoredWatch,
    now: number,
    items: readonly ReturnType<typeof item>[],
  ) {
    const answered = ['source', ...items.map(({ source }) => source)];
    return watches.end(
      await claim(watch, now),
      ended(now + 1_000, { interactionId: await interaction(watch), found: { answered, items } }),
    );
  }
  const isDue = async ({ id }: NewStoredWatch, now: number) =>
    (await watches.due(now, 1_000)).includes(id);

  it('has each value of a new watch, which is due at once', async () => {
    const watch = await made();
    const { name, ...rest } = watch;
    const fresh = {
      ...rest,
      state: 'active',
      stopReason: null,
      nextRunAt: at(0),
      lastRunAt: null,
      lastStatus: null,
      lastError: null,
      lastInteractionId: null,
      failures: 0,
      newsCount: 0,
    };
    expect(await read(watch)).toStrictEqual({ ...fresh, name });
    expect(await isDue(watch, START - 1)).toBe(false);
    expect(await isDue(watch, START)).toBe(true);
    const nameless = await made({ name: null });
    expect((await read(nameless)).name).toBeNull();
    expect(await watches.find(randomUUID(), watch.id)).toBeUndefined();
  });

  it('makes no more than a project may have, and lists them from the oldest', async () => {
    const first = await made({ createdAt: at(2) });
    const { projectId } = first;
    const second = await made({ projectId, createdAt: at(1) });
    const third = { ...second, id: randomUUID() };
    expect(await watches.create(third, 2)).toBe(false);
    expect((await watches.list(projectId)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await watches.create(third, 3)).toBe(true);
    const both = [1, 2].map(() => watches.create({ ...second, id: randomUUID() }, 4));
    expect((await Promise.all(both)).sort()).toEqual([false, true]);
    expect(await watches.remove(randomUUID(), third.id)).toBe(false);
    expect(await watches.remove(projectId, third.id)).toBe(true);
    expect(await watches.remove(projectId, third.id)).toBe(false);
    expect(await watches.list(projectId)).toHaveLength(3);
  });

  it('changes what is named, and nothing else', async () => {
    const watch = await made();
    const before = await read(watch);
    const change = (wanted: Parameters<WatchStore['change']>[2]) =>
      watches.change(watch.projectId, watch.id, wanted);
    expect(await change({ name: 'other' })).toStrictEqual({ ...before, name: 'other' });
    // it never ran: it stays due
    expect(await change({ intervalMinutes: 15 })).toMatchObject({
      intervalMinutes: 15,
      nextRunAt: at(0),
      name: 'other',
    });
    expect(await change({ state: 'paused' })).toMatchObject({
      state: 'paused',
      intervalMinutes: 15,
    });
    expect(await isDue(watch, minutes(1))).toBe(false);
    expect(
      await watches.claim(watch.id, { claimId: 'c', now: minutes(1), until: minutes(2) }),
    ).toBe(undefined);
    expect(await change({ state: 'active' })).toMatchObject({ state: 'active' });
    expect(await change({})).toMatchObject({ name: 'other', intervalMinutes: 15, state: 'active' });
    expect(await watches.change(randomUUID(), watch.id, { name: 'x' })).toBeUndefined();
    expect((await read(watch)).name).toBe('other');
  });

  it('counts a new interval from the start of the last run', async () => {
    const watch = await made();
    await watches.end(await claim(watch, START), ended(minutes(3), { startedAt: minutes(2) }));
    expect(await read(watch)).toMatchObject({
      nextRunAt: iso(minutes(60)),
      lastRunAt: iso(minutes(2)),
    });
    const changed = await watches.change(watch.projectId, watch.id, { intervalMinutes: 15 });
    expect(changed?.nextRunAt).toBe(iso(minutes(17)));
    const named = await watches.change(watch.projectId, watch.id, { name: 'x' });
    expect(named?.nextRunAt).toBe(iso(minutes(17)));
  });

  it('keeps the time of a run in progress when its interval changes', async () => {
    const watch = await made();
    await watches.end(await claim(watch, START), ended(minutes(1)));
    const run = await claim(watch, minutes(60));
    const changed = await watches.change(watch.projectId, watch.id, { intervalMinutes: 15 });
    expect(changed).toMatchObject({ nextRunAt: iso(minutes(60)), intervalMinutes: 15 });
    // a server that takes over has the same
    const other = await claim(watch, minutes(80));
    expect(other.watch.nextRunAt).toBe(run.watch.nextRunAt);
    await watches.end(other, ended(minutes(81)));
    expect((await read(watch)).nextRunAt).toBe(iso(minutes(96)));
  });

  it('counts the next run by the interval that was set during a run', async () => {
    const watch = await made();
    const run = await claim(watch, START);
    await watches.change(watch.projectId, watch.id, { intervalMinutes: 15 });
    await watches.end(run, ended(minutes(1)));
    expect((await read(watch)).nextRunAt).toBe(iso(minutes(15)));
  });

  it('has a project first whose newest run began longest ago, whatever its older runs', async () => {
    const twice = await made();
    const { projectId } = twice;
    const newer = await made({ projectId });
    const [once, third] = [await made(), await made()];
    for (const [turn, watch] of [twice, once, newer, third].entries()) {
      const now = minutes(turn + 1);
      await watches.end(await claim(watch, now), ended(now + 1_000));
    }
    const projectOf = new Map([twice, newer, once, third].map((one) => [one.id, one.projectId]));
    const due = await watches.due(minutes(100), 1_000);
    expect(due.flatMap((id) => projectOf.get(id) ?? [])).toEqual([
      once.projectId,
      projectId,
      third.projectId,
    ]);
  });

  it('gives a run to one of several servers, until its claim has passed', async () => {
    const watch = await made();
    const claims = await Promise.all(
      Array.from({ length: 4 }, () =>
        watches.claim(watch.id, { claimId: randomUUID(), now: START, until: minutes(5) }),
      ),
    );
    expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
    const again = (now: number) =>
      watches.claim(watch.id, { claimId: randomUUID(), now, until: minutes(20) });
    expect(await isDue(watch, minutes(5) - 1)).toBe(false);
    expect(await again(minutes(5) - 1)).toBeUndefined();
    expect(await isDue(watch, minutes(5))).toBe(true);
    expect(await again(minutes(5))).toMatchObject({
      watch: { id: watch.id, nextRunAt: at(0) },
    });
    expect(await watches.claim(randomUUID(), { claimId: 'x', now: START, until: START })).toBe(
      undefined,
    );
  });

  it('changes nothing for a server whose run another one took over', async () => {
    const watch = await made();
    const slow = await claim(watch, START, minutes(5));
    const other = await claim(watch, minutes(6), minutes(16));
    await watches.release(slow);
    expect(await isDue(watch, minutes(7))).toBe(false);
    await watches.postpone(slow, minutes(60));
    await watches.postpone(slow, minutes(1));
    expect(await isDue(watch, minutes(7))).toBe(false);
    const before = await read(watch);
    const late = ended(minutes(8), { status: 'failed', error: { status: 500, message: 'late' } });
    expect(await watches.end(slow, late)).toBeUndefined();
    expect(await read(watch)).toStrictEqual(before);
    expect(await isDue(watch, minutes(16))).toBe(true);

    expect(await watches.end(other, ended(minutes(9)))).toEqual({ count: 0, after: 0 });
    expect(await read(watch)).toMatchObject({ lastStatus: 'succeeded', failures: 0 });
    // and once more, as an answer that was lost
    expect(await watches.end(other, ended(minutes(9)))).toBeUndefined();
    expect(await watches.end(slow, late)).toBeUndefined();
    await watches.remove(watch.projectId, watch.id);
    expect(await watches.end(other, ended(minutes(9)))).toBeUndefined();
  });

  it('changes one watch of two at the end, the release and the delay of a run', async () => {
    const [one, other] = [await made(), await made()];
    const held = await claim(other, START, minutes(10));
    await watches.release(await claim(one, START));
    expect(await isDue(one, minutes(1))).toBe(true);
    await watches.postpone(await claim(one, minutes(1)), minutes(30));
    expect([await isDue(one, minutes(29)), await isDue(one, minutes(30))]).toEqual([false, true]);
    expect([await isDue(other, minutes(9)), await isDue(other, minutes(10))]).toEqual([
      false,
      true,
    ]);
    await watches.end(await claim(one, minutes(30)), ended(minutes(31)));
    expect(await read(other)).toStrictEqual(held.watch);
  });

  it('is due again an interval after it was due, or after the end if that has passed', async () => {
    const watch = await made();
    await watches.end(await claim(watch, minutes(3)), ended(minutes(4)));
    expect((await read(watch)).nextRunAt).toBe(iso(minutes(60)));
    await watches.end(await claim(watch, minutes(200)), ended(minutes(201)));
    expect((await read(watch)).nextRunAt).toBe(iso(minutes(261)));
    expect(await isDue(watch, minutes(260))).toBe(false);
  });

  it('counts failures in a row, with the last error, until a run succeeds', async () => {
    const watch = await made();
    const error = { status: 502, message: 'no \u0000 answer' };
    for (const [turn, status] of (['failed', 'refused', 'failed'] as const).entries()) {
      const now = minutes(turn * 60);
      await watches.end(await claim(watch, now), ended(now + 1_000, { status, error }));
    }
    expect(await read(watch)).toMatchObject({
      failures: 3,
      lastStatus: 'failed',
      lastError: { status: 502 },
      lastRunAt: iso(minutes(120)),
      lastInteractionId: null,
    });
    await ran(watch, minutes(180), []);
    expect(await read(watch)).toMatchObject({
      failures: 0,
      lastStatus: 'succeeded',
      lastError: null,
      lastInteractionId: expect.any(String),
    });
  });

  it('has as news what a source had not at first, each item once, numbered through', async () => {
    const watch = await made();
    expect(await ran(watch, START, [item('a'), item('b')])).toEqual({ count: 0, after: 0 });
    // of one that is there twice, the first is what is said of it
    const again = { ...item('c'), body: item('X').body };
    expect(await ran(watch, minutes(60), [item('c'), item('a'), item('d'), again])).toEqual({
      count: 2,
      after: 0,
    });
    // a source that answers for the first time has no news, although its item is new
    expect(await ran(watch, minutes(120), [item('x', 'late'), item('b'), item('e')])).toEqual({
      count: 1,
      after: 2,
    });
    expect(await ran(watch, minutes(180), [item('x', 'late'), item('y', 'late')])).toEqual({
      count: 1,
      after: 3,
    });
    expect((await read(watch)).newsCount).toBe(4);
    const names = async (...asked: Parameters<WatchStore['news']>) =>
      (await watches.news(...asked)).map((one) => [
        one.sequence,
        (one as { url?: string }).url?.at(-1),
        one.first_seen_at,
      ]);
    const second = iso(minutes(60) + 1_000);
    const all = [
      [1, 'c', second],
      [2, 'd', second],
      [3, 'e', iso(minutes(120) + 1_000)],
      [4, 'y', iso(minutes(180) + 1_000)],
    ];
    expect(await names(watch.id, { sequence: 0 }, 10)).toEqual(all);
    expect(await names(watch.id, { sequence: 0 }, 2)).toEqual(all.slice(0, 2));
    expect(await names(watch.id, { sequence: 2 }, 10)).toEqual(all.slice(2));
    expect(await names(watch.id, { time: second }, 10)).toEqual(all.slice(2));
    expect(await names(watch.id, { time: iso(minutes(60)) }, 1)).toEqual(all.slice(0, 1));
    expect(await names(randomUUID(), { sequence: 0 }, 10)).toEqual([]);
  });

  it('has no news of an interaction that was not recorded, or is deleted', async () => {
    const watch = await made();
    await ran(watch, START, [item('a')]);
    const found = { answered: ['source'], items: [item('b')] };
    for (const [turn, interactionId] of [null, randomUUID()].entries()) {
      const now = minutes(60 * (turn + 1));
      const end = ended(now, { interactionId, found });
      expect(await watches.end(await claim(watch, now), end)).toEqual({ count: 0, after: 0 });
    }
    expect((await read(watch)).newsCount).toBe(0);
  });

  it('remembers each of more items than a statement takes', async () => {
    const watch = await made();
    const many = (from: number) =>
      Array.from({ length: 2_500 }, (_, index) => item(`${from + index}`));
    await ran(watch, START, many(0));
    expect(await ran(watch, minutes(60), many(0))).toEqual({ count: 0, after: 0 });
    expect(await ran(watch, minutes(120), many(1_200))).toEqual({ count: 1_200, after: 0 });
    const { newsCount } = await read(watch);
    expect(newsCount).toBe(1_200);
    const [last] = await watches.news(watch.id, { sequence: 1_199 }, 10);
    expect(last).toMatchObject({ sequence: 1_200, url: 'https://example.com/3699' });
  });

  it('stops watches whose key ended, once, with the reason', async () => {
    const now = minutes(10);
    const keys = opened.store.keys;
    const [expired, revoked, disabled, deleted, both, living] = [
      await made(),
      await made(),
      await made(),
      await made(),
      await made(),
      await made(),
    ];
    await keys.changeKey(expired.keyId, { expiresAt: iso(now) });
    await keys.changeKey(living.keyId, { expiresAt: iso(now + 1) });
    await keys.revokeKey(revoked.keyId, at(1));
    await keys.disableKey(disabled.keyId, at(1));
    await keys.deleteKey(deleted.keyId, at(1));
    await keys.disableKey(both.keyId, at(1));
    await keys.revokeKey(both.keyId, at(2));
    const run = await claim(revoked, START);
    const reasons = new Map((await watches.stopEnded(now)).map(({ id, reason }) => [id, reason]));
    expect(reasons).toEqual(
      new Map([
        [expired.id, 'expired'],
        [revoked.id, 'revoked'],
        [disabled.id, 'disabled'],
        [deleted.id, 'deleted'],
        [both.id, 'revoked'],
      ]),
    );
    expect(await watches.stopEnded(now)).toEqual([]);
    expect(await read(deleted)).toMatchObject({ state: 'stopped', stopReason: 'deleted' });
    expect([await isDue(deleted, now), await isDue(living, now)]).toEqual([false, true]);
    expect(await read(living)).toMatchObject({ state: 'active', stopReason: null });
    // a run that is in progress ends as others do
    await watches.end(run, ended(now));
    expect(await read(revoked)).toMatchObject({ state: 'stopped', lastStatus: 'succeeded' });
    await keys.disableKey(disabled.keyId, null);
    const started = await watches.change(disabled.projectId, disabled.id, { state: 'active' });
    expect(started).toMatchObject({ state: 'active', stopReason: null });
  });

  it('follows its key to the one that replaces it, and no other watch does', async () => {
    const [watch, other] = [await made(), await made()];
    const successor = apiKey(watch.projectId, { rotatedFrom: watch.keyId });
    const run = await claim(watch, START);
    const replacement = { keyId: watch.keyId, endsAt: at(5), successor, digest: successor.id };
    expect(await opened.store.keys.replaceKey(replacement)).toBe(true);
    expect(await watches.stopEnded(minutes(10))).toEqual([]);
    expect(await read(watch)).toMatchObject({ keyId: successor.id, state: 'active' });
    expect((await read(other)).keyId).toBe(other.keyId);
    expect(await watches.end(run, ended(minutes(1)))).toEqual({ count: 0, after: 0 });
  });

  it('follows its key in whatever state it is, and starts again with the one that replaced it', async () => {
    const paused = await made();
    const { projectId, keyId } = paused;
    const own = { projectId, keyId };
    const [active, stopped] = [await made(own), await made(own)];
    await opened.store.keys.disableKey(keyId, at(1));
    await watches.stopEnded(minutes(1));
    await opened.store.keys.disableKey(keyId, null);
    await watches.change(projectId, active.id, { state: 'active' });
    await watches.change(projectId, paused.id, { state: 'paused' });
    const successor = apiKey(projectId, { rotatedFrom: keyId });
    const replacement = { keyId, endsAt: at(5), successor, digest: successor.id };
    expect(await opened.store.keys.replaceKey(replacement)).toBe(true);
    const states = async () =>
      Promise.all([active, paused, stopped].map(async (watch) => (await read(watch)).state));
    for (const watch of [active, paused, stopped]) {
      expect((await read(watch)).keyId).toBe(successor.id);
    }
    expect(await watches.stopEnded(minutes(10))).toEqual([]);
    expect(await states()).toEqual(['active', 'paused', 'stopped']);
    for (const { id } of [paused, stopped])
      await watches.change(projectId, id, { state: 'active' });
    expect(await watches.stopEnded(minutes(10))).toEqual([]);
    expect(await states()).toEqual(['active', 'active', 'active']);
  });

  it('gives back the runs of a server that died, where there is only one', async () => {
    const watch = await made();
    await claim(watch, START, minutes(100));
    await watches.releaseLeft();
    expect(await isDue(watch, minutes(1))).toBe(kind.name === 'SQLite');
  });
});
