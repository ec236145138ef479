import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { apiKey, at, newProject } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditEntry, AuditQuery } from '../../src/accounts/records.ts';
import { runProgram } from '../run-program.ts';

const ADA = { kind: 'person', id: 'ada', name: 'Ada', email: 'ada@example.com' } as const;

function entry(number: number, given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: v7({ msecs: Date.parse(at(number)) }),
    createdAt: at(number),
    projectId: 'cranes',
    actor: ADA,
    action: 'member.removed',
    target: { kind: 'person', id: 'bob', name: 'Bob' },
    outcome: 'succeeded',
    reason: null,
    detail: { role: 'viewer', nested: { list: [1, null] } },
    ip: '127.0.0.1',
    userAgent: 'a browser',
    requestId: 'request-1',
    ...given,
  };
}

describeOnDatabases('the audit log', (database) => {
  let opened: TestStore;
  const nothing = { kind: 'anonymous', id: null, name: null, email: null } as const;
  const bare = { target: null, detail: null, ip: null, userAgent: null, requestId: null };
  const entries = [
    entry(1),
    entry(2, { action: 'member.role_changed' }),
    entry(3, {
      projectId: null,
      outcome: 'refused',
      reason: 'wrong code',
      actor: nothing,
      ...bare,
    }),
    entry(4, { projectId: 'storks' }),
    entry(5),
  ] as const;
  const [first, second, third, fourth, fifth] = entries;

  beforeAll(async () => {
    opened = await database.open();
    for (const one of entries) await opened.store.accounts.audit.write(one);
  });
  afterAll(() => opened.cleanup());

  const page = (query: Partial<AuditQuery>) =>
    opened.store.accounts.audit.page({ limit: 10, ...query });

  it('reads back what was written, newest first', async () => {
    expect(await page({})).toStrictEqual({ entries: entries.toReversed(), next: null });
  });

  it('is read by page', async () => {
    const newest = await page({ limit: 2 });
    expect(newest).toStrictEqual({ entries: [fifth, fourth], next: fourth.id });
    const next = await page({ limit: 3, before: newest.next ?? '' });
    expect(next).toStrictEqual({ entries: [third, second, first], next: null });
  });

  it.each([
    [{ projectId: 'cranes' }, [fifth, second, first]],
    [{ projectId: 'cranes', action: 'member.role_changed' }, [second]],
    [{ action: 'member' }, entries.toReversed()],
    [{ action: 'membe' }, []],
    [{ action: 'member_role' }, []],
    [{ actor: 'ada' }, [fifth, fourth, second, first]],
    [{ actor: 'DA@EX' }, [fifth, fourth, second, first]],
    [{ actor: '%' }, []],
    [{ target: 'bO', from: at(2), to: at(5) }, [fourth, second]],
    [{ target: 'bob', projectId: 'storks' }, [fourth]],
    [{ outcome: 'refused' }, [third]],
  ] as const)('narrows it by %j', async (query, expected) => {
    expect((await page(query)).entries).toStrictEqual(expected);
  });

  it('refuses to change or delete an entry', async () => {
    const { db } = opened.store.accounts.database;
    const append = /append-only/;
    await expect(db.updateTable('audit_log').set({ reason: null }).execute()).rejects.toThrow(
      append,
    );
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow(append);
    await expect(
      sql`insert into audit_log (id, created_at, actor_kind, action, outcome)
        values (${first.id}, '', '', '', '') on conflict (id) do update set reason = 'x'`.execute(
        db,
      ),
    ).rejects.toThrow(append);
    expect((await page({})).entries).toHaveLength(entries.length);
  });

  it('has the entry of each change: a kill before it leaves neither', async () => {
    const { store, location, workerUrl } = opened;
    const projectId = await newProject(store);
    const key = apiKey(projectId);
    await store.keys.createKey(key, key.id);
    const before = [await store.keys.findProject(projectId), await store.keys.findKey(key.id)];
    const given = { store: { ...location, workerUrl: workerUrl.href }, projectId };
    const program = await runProgram('die-before-the-entry', given);
    expect([await program.ended, program.errors()]).toEqual([null, '']);
    const changed = await opened.another();
    expect([await changed.keys.findProject(projectId), await changed.keys.findKey(key.id)]).toEqual(
      before,
    );
    const deletion = entry(90, { projectId, action: 'key.deleted' });
    await changed.changing(async ({ keys, accounts }) => {
      await keys.deleteKey(key.id, at(90));
      await accounts.audit.write(deletion);
    });
    expect(await changed.keys.findKey(key.id)).toBeUndefined();
    expect((await changed.accounts.audit.page({ projectId, limit: 9 })).entries).toEqual([
      deletion,
    ]);
  });
});
