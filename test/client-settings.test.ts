import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ConversationOptions,
  createConversation,
  type InteractionRequest,
  type QueryRequest,
  Trawl,
} from '@trawl/client';
import { webSearch } from '@trawl/client/ai-sdk';
import { answers, type Stub, startStub } from '@trawl/test-support/client-stub';
import { HAS_PYTHON, PYTHON_SOURCES, python } from '@trawl/test-support/python';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SETTINGS_CASES, type SettingsCase } from './client-settings/cases.ts';
import { CLIENTS } from './client-settings/clients.ts';
import { inPlace, type Place, placeOf } from './client-settings/place.ts';

const ANSWER = { session_id: 's', interaction_id: 'i', status: 'succeeded', preprocessor_runs: [] };

let folder: string;
let stub: Stub;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trawl-client-settings-')));
  stub = await startStub(answers(200, ANSWER));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stub.stop();
});

/** Writes the files of a case, whose requests begin with `/${name}`. */
function place(name: string, given: SettingsCase): Place {
  const own = join(folder, name);
  mkdirSync(own);
  return placeOf(own, `${stub.url}/${name}`, given);
}

const receivedOf = (name: string) =>
  stub.received.filter(({ path }) => path.startsWith(`/${name}/`));

/** `fallback` is the command's own default. */
function expectOutcome(name: string, given: SettingsCase, error: string | undefined): void {
  const blocks = receivedOf(name).map(({ body }) => JSON.parse(body).search ?? {});
  const shown = blocks.map(({ fallback: _, ...block }) => block);
  if (given.error === undefined) {
    expect(shown.length === 0 ? error : shown).toEqual([given.sent]);
    return;
  }
  expect(shown).toEqual([]);
  for (const part of given.error)
    expect(error).toContain(part.replace('FOLDER', join(folder, name)));
  expect(error).not.toContain('secret');
}

/** Each runtime says in its own words why a text is not JSON. */
const PARSERS_WORDS = /(?<=it is not JSON )\(.*\)/;

const names = SETTINGS_CASES.map(({ name }) => name);
const numbered = SETTINGS_CASES.map((given, index) => [given.name, given, index] as const);

test('the cases have different names', () => {
  expect(new Set(names).size).toBe(names.length);
});

describe.each(Object.entries(CLIENTS))('5.5: %s', (client, search) => {
  test.each(numbered)('%s', async (_name, given, index) => {
    const name = `${Object.keys(CLIENTS).indexOf(client)}-${index}`;
    const at = place(name, given);
    const error = await inPlace(at, async () =>
      search(at.call).then(
        () => undefined,
        (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
      ),
    );
    expectOutcome(name, given, error);
  });
});

describe('5.5: SERVICE_INCREMENTAL', () => {
  /** How many turns the second of two searches in one session sends. */
  async function turnsOfSecond(name: string, value: string, options: ConversationOptions) {
    await inPlace(place(name, { name, environment: { SERVICE_INCREMENTAL: value } }), async () => {
      const conversation = createConversation(options);
      conversation.add('user', 'one');
      await Trawl.fromSettings().search('tides', { conversation });
      conversation.add('user', 'two');
      await webSearch({ conversation }).execute({ query: 'waves' });
    });
    const [, body] = receivedOf(name).map((request) => JSON.parse(request.body));
    return body.metadata.conversation.turns.length;
  }

  test.each<[string, ConversationOptions, number]>([
    ['off', {}, 2],
    ['', {}, 1],
    ['on', {}, 1],
    ['off', { incremental: true }, 1],
    ['on', { incremental: false }, 2],
  ])(
    '%j and the conversation %j: the second search sends %i turns',
    async (value, options, count) => {
      const name = `incremental-${value}-${options.incremental}`;
      expect(await turnsOfSecond(name, value, options)).toBe(count);
    },
  );
});

describe('5.5: the settings of a client of Trawl.fromSettings()', () => {
  const settings = { providersInclude: ['exa', 'brave'], providersExclude: ['brave', 'tavily'] };
  const sentBy = async (name: string, work: (client: Trawl) => Promise<unknown>) => {
    await inPlace(place(name, { name, project: settings }), () => work(Trawl.fromSettings()));
    return receivedOf(name).map(({ body }) => JSON.parse(body));
  };

  test('the providers that an interaction names are those of the call', async () => {
    const request = { user_input: { query: 'x' }, preprocessor_names: ['tavily', 'linkup'] };
    const sent = await sentBy('named', (client) => client.createInteraction(request));
    expect(sent).toEqual([{ ...request, preprocessor_names: ['linkup'], search: {} }]);
  });

  test('a step without a query, and a fetch, are sent as they are', async () => {
    const step = { metadata: { note: 'a step' } };
    const sent = await sentBy('steps', async (client) => {
      await client.createInteraction(step);
      await client.fetch('https://a.example');
    });
    expect(sent).toEqual([step, { urls: ['https://a.example'] }]);
  });

  test.each([
    [{ providers: ['exa'] }],
    [{ providers: { include: 'exa' } }],
    [{ providers: { exclude: 3 } }],
    ['max'],
    [[]],
  ])('what the server refuses is sent as it is: %j', async (search) => {
    const request = { query: 'x', search } as unknown as QueryRequest;
    const name = `wrong-${JSON.stringify(search).replaceAll(/\W/g, '-')}`;
    const [body] = await sentBy(name, (client) => client.search(request));
    expect(body.search).toEqual(search);
  });

  test('so are names that are no list', async () => {
    const request = { user_input: { query: 'x' }, preprocessor_names: 'exa' };
    const [body] = await sentBy('no-list', (client) =>
      client.createInteraction(request as unknown as InteractionRequest),
    );
    expect(body).toEqual(request);
  });

  test('so is a member that the API does not have', async () => {
    const search = { providers: { includes: ['exa'] }, tierr: 'max' };
    const request = { query: 'x', search } as unknown as QueryRequest;
    const [body] = await sentBy('unknown', (client) => client.search(request));
    expect(body.search).toEqual({
      providers: { includes: ['exa'], include: ['exa'] },
      tierr: 'max',
    });
  });

  test('an address and a key in the code win over the variables', async () => {
    const name = 'explicit';
    const environment = { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_TIER: 'max' };
    await inPlace(place(name, { name, environment }), () =>
      Trawl.fromSettings({ baseUrl: `${stub.url}/${name}`, apiKey: 'tk_own' }).search('x'),
    );
    const [request] = receivedOf(name);
    expect(request?.headers.authorization).toBe('Bearer tk_own');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ search: { tier: 'max' } });
  });

  test('a client of new Trawl() reads no file', async () => {
    const name = 'plain';
    await inPlace(place(name, { name, project: { tier: 'max' } }), async () => {
      const client = new Trawl();
      await client.search({ query: 'x', search: { auto_routing: 'off' } });
      await webSearch({ client }).execute({ query: 'x' });
    });
    expect(receivedOf(name).map(({ body }) => JSON.parse(body).search)).toEqual([{}, {}]);
  });
});

const KINDS = ['sync', 'asyncio', 'tool', 'asyncio-tool', 'langchain', 'llamaindex'];
const refused = numbered.filter(([, { error }]) => error !== undefined);
const pythonTitle = `5.5: the Python client${HAS_PYTHON ? '' : ' (skipped: needs Python 3.9 or newer)'}`;

describe.runIf(HAS_PYTHON)(pythonTitle, () => {
  let errors: Readonly<Record<string, readonly (string | null)[]>>;
  /** Of the TypeScript client, by case. */
  const words = new Map<number, string | undefined>();
  const withoutFolder = (text: string | null | undefined, name: string) =>
    text?.replaceAll(join(folder, name), 'FOLDER').replace(PARSERS_WORDS, '');

  beforeAll(async () => {
    const placesOf = (kind: string) =>
      SETTINGS_CASES.map((given, index) => place(`${kind}-${index}`, given));
    const path = join(folder, 'places.json');
    writeFileSync(
      path,
      JSON.stringify(Object.fromEntries(KINDS.map((kind) => [kind, placesOf(kind)]))),
    );
    // one process for all: each takes a third of a second to load what it needs
    const program = fileURLToPath(new URL('client-settings/search.py', import.meta.url));
    const environment = { PYTHONPATH: PYTHON_SOURCES };
    const { stdout } = await python([program, path], { cwd: folder, environment });
    errors = JSON.parse(stdout);
    for (const [, given, index] of refused) {
      const name = `words-${index}`;
      const error = await inPlace(place(name, given), () =>
        Trawl.fromSettings().search({ query: 'x', search: given.call }),
      ).catch((reason: Error) => reason);
      words.set(index, withoutFolder((error as Error).message, name));
    }
  });

  describe.each(KINDS)('%s', (kind) => {
    test.each(numbered)('%s', (_name, given, index) => {
      expectOutcome(`${kind}-${index}`, given, errors[kind]?.[index] ?? undefined);
    });

    test.each(refused)('words of the TypeScript client: %s', (_name, _given, index) => {
      expect(words.get(index)).toBeTruthy();
      expect(withoutFolder(errors[kind]?.[index], `${kind}-${index}`)).toBe(words.get(index));
    });
  });
});
