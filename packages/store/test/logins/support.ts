import { createHash, randomUUID } from 'node:crypto';
import type { Role } from '@trawl/contract';
import { openDatabase } from '@trawl/database';
import type { NewLogin, Store } from '@trawl/store';
import type { TestDatabase } from '@trawl/test-support/databases';
import { apiKey } from '@trawl/test-support/records';

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Logins of one person on a fresh database. */
export async function openLogins(database: TestDatabase) {
  const opened = await database.open();
  const { store } = opened;
  const now = () => new Date().toISOString();
  const project = await store.keys.ensureProject({
    id: randomUUID(),
    name: 'shop',
    createdAt: now(),
  });
  const person = {
    ...{ id: randomUUID(), name: 'Ada', email: `${randomUUID()}@example.com` },
    ...{ isOperator: false, passwordHash: 'x', createdAt: now() },
  };
  await store.accounts.people.create(person);
  const raw = openDatabase(opened.location, { connections: 1 });
  const setRole = (role: Role) =>
    raw.db
      .insertInto('project_members')
      .values({ project_id: project.id, user_id: person.id, role, created_at: now() })
      .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
      .execute();
  await setRole('admin');
  let count = 0;
  const grant = async (
    given: Partial<Omit<NewLogin, 'key'>> & { client?: string } = {},
    on: Store = store,
  ) => {
    const { client = 'a client', ...others } = given;
    count += 1;
    const code = `code ${count}`;
    const key = {
      ...apiKey(project.id, { id: randomUUID(), name: 'Claude', permissions: ['search'] }),
      createdAt: new Date(Date.now() + count).toISOString(),
      createdBy: person.id,
      loginClient: client,
    };
    const login = {
      ...{ key, isEntered: false, keyDigest: randomUUID(), codeDigest: digestOf(code) },
      ...{ redirectUri: 'https://a.example/c', challenge: 'challenge' },
      ...others,
    };
    return { code, login, granted: await on.logins.grant(login, now()) };
  };
  const codeUse = (code: string, change: object = {}) => ({
    ...{ codeDigest: digestOf(code), client: 'a client' },
    ...{ redirectUri: 'https://a.example/c', challenge: 'challenge' },
    ...{ newAccess: digestOf(`access of ${code}`), newRefresh: digestOf(`refresh of ${code}`) },
    ...change,
  });
  const refreshUse = (token: string, change: object = {}) => ({
    ...{ refreshDigest: digestOf(token), client: 'a client' },
    ...{ newAccess: digestOf(`access of ${token}`), newRefresh: digestOf(`refresh of ${token}`) },
    ...change,
  });
  return {
    ...{ opened, store, now, project, person, db: raw.db, setRole, grant, codeUse, refreshUse },
    cleanup: async () => {
      await raw.db.destroy();
      await opened.cleanup();
    },
  };
}
