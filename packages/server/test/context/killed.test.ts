import { randomUUID } from 'node:crypto';
import { databases } from '@trawl/test-support/databases';
import { until } from '@trawl/test-support/loopback';
import { newFolder, startServe } from '@trawl/test-support/program';
import { expect, onTestFinished, test } from 'vitest';
import { composedWeb } from './support/composed-web.ts';

const BOOTSTRAP_API_KEY = `tk_${'k'.repeat(43)}`;

test('a server that is killed between search and pages never pays the search twice', async () => {
  const [sqlite] = databases;
  if (!sqlite) throw new Error('there is an embedded database');
  const data = await sqlite.create();
  const folder = await newFolder();
  const web = await composedWeb();
  onTestFinished(async () => {
    await web.stop();
    await data.drop();
    await folder.remove();
  });
  const settings = {
    ...web.env,
    EXA_API_KEY: 'planted-exa',
    BRAVE_API_KEY: 'planted-brave',
    PORT: '0',
    DATABASE_URL: data.location.databaseUrl,
    DATA_DIR: data.location.dataDir,
    BOOTSTRAP_API_KEY,
  };
  const body = 'A long enough text about a pump that ran in May 1987. '.repeat(20);
  web.pages = { a: { title: 'A', body, summary: 'Row.', status: 'hang' } };
  web.found = { exa: ['a'], brave: ['a'] };
  const key = randomUUID();
  const ask = (url: string) =>
    fetch(`${url}/v1/context`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${BOOTSTRAP_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ query: 'When did the pump run?', max_seconds: 60 }),
    });

  const first = await startServe({ settings, folder: folder.path });
  const lost = ask(first.url).catch(() => undefined);
  await until(() => web.asked.includes('/p/a'));
  first.child.kill('SIGKILL');
  await first.ended;
  await lost;
  expect(web.asked.filter((each) => !each.startsWith('/p/')).sort()).toEqual(['brave', 'exa']);

  web.pages.a = { title: 'A', body, summary: 'Row.' };
  const second = await startServe({ settings, folder: folder.path });
  const answer = await ask(second.url);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(JSON.parse(text).context.text).toContain('May 1987');
  expect(web.asked.filter((each) => !each.startsWith('/p/'))).toHaveLength(2);
  const again = await ask(second.url);
  expect(await again.text()).toBe(text);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  second.child.kill('SIGKILL');
  await second.ended;
}, 60_000);
