import { createMemoryRateLimiter } from '@trawl/base';
import { expect, it } from 'vitest';
import { createClients } from '../../src/login/clients.ts';

const PLACE = { issuer: 'https://trawl.example.com', resource: 'https://trawl.example.com/mcp' };
const ID = 'https://app.example/client.json';

/** Clients whose documents a test makes. */
function openClients(answer: { freshSeconds?: number; problem?: string } = {}) {
  const time = { now: 1_000_000 };
  const read: string[] = [];
  const clients = createClients({
    store: { client: async (id) => (id === 'own' ? OWN : undefined) },
    read: async (url) => {
      read.push(url.href);
      const { problem, freshSeconds } = answer;
      if (problem !== undefined) return { problem };
      const text = JSON.stringify({
        client_id: url.href,
        client_name: `read ${read.length}`,
        redirect_uris: ['https://app.example/callback'],
      });
      return { text, freshSeconds };
    },
    place: PLACE,
    rateLimiter: createMemoryRateLimiter(() => time.now),
    clock: { now: () => time.now },
  });
  return { clients, time, read, answer };
}

const OWN = { id: 'own', name: 'Own', redirectUris: ['https://own.example/c'], createdAt: '' };

it('knows the clients that an operator entered, who have no host', async () => {
  const { clients, read } = openClients();
  expect(await clients.find('own', 'ada')).toEqual({
    id: 'own',
    name: 'Own',
    host: null,
    redirectUris: OWN.redirectUris,
  });
  expect(read).toEqual([]);
});

it.each([
  ['an id that is no address', 'made-up', 'Programs cannot register themselves here'],
  ['an address of this server', 'https://trawl.example.com/x', 'an address of this server'],
])('refuses %s without asking anyone', async (_what, id, says) => {
  const { clients, read } = openClients();
  expect(await clients.find(id, 'ada')).toEqual(expect.stringContaining(says));
  expect(read).toEqual([]);
});

it.each([
  ['an hour without headers', undefined, 3_600],
  ['as long as it says', 120, 120],
  ['a day at most', 999_999, 86_400],
])('keeps a document for %s', async (_what, freshSeconds, seconds) => {
  const { clients, time, read } = openClients({ ...(freshSeconds && { freshSeconds }) });
  await clients.find(ID, 'ada');
  time.now += seconds * 1_000 - 1;
  await clients.find(ID, 'bob');
  expect(read).toHaveLength(1);
  time.now += 2;
  expect(await clients.find(ID, 'bob')).toMatchObject({ name: 'read 2' });
});

it('keeps no document that must not be kept, and each time counts', async () => {
  const { clients, read } = openClients({ freshSeconds: 0 });
  for (let time = 0; time < 7; time += 1) await clients.find(ID, 'ada');
  expect(read).toHaveLength(5);
  expect(await clients.find(ID, 'ada')).toContain('wait a minute');
});

it('keeps a failure for a minute', async () => {
  const opened = openClients({ problem: 'it is late' });
  const { clients, time, read, answer } = opened;
  expect(await clients.find(ID, 'ada')).toBe('the document about the program: it is late');
  delete answer.problem;
  time.now += 59_000;
  expect(await clients.find(ID, 'ada')).toContain('it is late');
  expect(read).toHaveLength(1);
  time.now += 1_001;
  expect(await clients.find(ID, 'ada')).toMatchObject({ name: 'read 2' });
});

it('reads five a minute for a person, and thirty for all', async () => {
  const { clients, time, read } = openClients();
  const ask = (person: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        clients.find(`https://app.example/${person}/${index}`, person),
      ),
    );
  expect((await ask('ada', 7)).filter((one) => typeof one === 'string')).toHaveLength(2);
  for (const person of ['b', 'c', 'd', 'e', 'f']) await ask(person, 5);
  expect(read).toHaveLength(30);
  expect((await ask('g', 1)).map(String)).toEqual([expect.stringContaining('wait a minute')]);
  // what is kept is not counted
  expect((await ask('ada', 1))[0]).toMatchObject({ host: 'app.example' });
  time.now += 60_001;
  expect((await ask('g', 1))[0]).toMatchObject({ host: 'app.example' });
});

it('reads a document once for two who ask at the same time', async () => {
  const { clients, read } = openClients();
  await Promise.all([clients.find(ID, 'ada'), clients.find(ID, 'bob')]);
  expect(read).toHaveLength(1);
});
