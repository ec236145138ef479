import { ROUTES } from '@trawl/contract';
import { Trawl } from '../../packages/client/src/index.ts';
import { code, codes, table } from './tables.ts';

/**
 * The first argument of a method: if it is an id, it appears in the path of the call. A method that
 * takes only options refuses it.
 */
const GIVEN = '0190a0a0-0000-7000-8000-000000000001';
const OF_THE_OBJECT = ['constructor', 'baseUrl', 'admin', 'toString', 'toJSON'];

/** Those that are made from the routes first: they are of the class that it extends. */
function methodsOf(object: object): string[] {
  const own = Object.getPrototypeOf(object);
  return [Object.getPrototypeOf(own), own]
    .flatMap((each) => Object.getOwnPropertyNames(each))
    .filter((name) => !OF_THE_OBJECT.includes(name));
}

const ANY = new Trawl({ apiKey: 'a-key' });
/** Each with the object that has it: of the client, or `admin` of it. */
const METHODS = [
  ...methodsOf(ANY).map((name) => ({ name, shown: name, isAdmin: false })),
  ...methodsOf(ANY.admin).map((name) => ({ name, shown: `admin.${name}`, isAdmin: true })),
];

/** The route that a method calls, as `METHOD /path`. */
async function calledBy({ name, isAdmin }: (typeof METHODS)[number]): Promise<string> {
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
    const object = isAdmin ? client.admin : client;
    const answer: unknown = Reflect.apply(Reflect.get(object, name), object, given);
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
  METHODS.map(async (method) => ({ name: method.shown, called: await calledBy(method) })),
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
