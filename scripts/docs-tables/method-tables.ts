import { ROUTES } from '@trawl/contract';
import { Trawl } from '../../packages/client/src/index.ts';
import { code, codes, table } from './tables.ts';

/**
 * The first argument of a method: if it is an id, it appears in the path of the call. A method that
 * takes only options refuses it.
 */
const GIVEN = '0190a0a0-0000-7000-8000-000000000001';
const OF_THE_OBJECT = ['constructor', 'baseUrl', 'toString', 'toJSON'];

const METHODS = Object.getOwnPropertyNames(Trawl.prototype).filter(
  (name) => !OF_THE_OBJECT.includes(name),
);

/** The route that a method calls, as `METHOD /path`. */
async function calledBy(name: string): Promise<string> {
  const calls: string[] = [];
  const client = new Trawl({
    apiKey: 'a-key',
    maxRetries: 0,
    fetch: async (input, init) => {
      calls.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return Response.json({ title: 'no server' }, { status: 400 });
    },
  });
  const callWith = async (...given: readonly string[]) => {
    const answer: unknown = Reflect.apply(Reflect.get(client, name), client, given);
    await Promise.allSettled([isIterator(answer) ? answer.next() : answer]);
  };
  await callWith(GIVEN);
  if (calls.length === 0) await callWith();
  const [called] = calls;
  if (called === undefined) throw new Error(`${name} called no route`);
  return called;
}

const isIterator = (value: unknown): value is AsyncIterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value;

const CALLS = await Promise.all(
  METHODS.map(async (name) => ({ name, called: await calledBy(name) })),
);

/** The routes and the methods of the client that call them, found by calling each. */
export const METHOD_TABLES: Readonly<Record<string, () => string>> = {
  'client-methods': () =>
    table(
      ['Route', 'Methods'],
      Object.values(ROUTES).map(({ method, path }) => {
        const route = `${method} ${path.replace(/\{\w+\}/, GIVEN)}`;
        const names = CALLS.filter(({ called }) => called === route).map(({ name }) => name);
        return [code(`${method} ${path}`), codes(names) || 'none'];
      }),
    ),
};
