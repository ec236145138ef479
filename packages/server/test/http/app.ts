import type { Clock } from '@trawl/base';
import { createOutageLog, jsonText } from '@trawl/base';
import { ROUTES, type RouteId, type RouteInput } from '@trawl/contract';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { createAuthenticator } from '../../src/auth/authenticate.ts';
import type { AnyReply } from '../../src/http/answer/reply.ts';
import { createHttpApp } from '../../src/http/bind.ts';
import type { Handlers, RequestContext } from '../../src/http/handler.ts';
import type { HttpOptions } from '../../src/http/options.ts';
import { apiKey, memoryKeyStore } from '../auth/memory-key-store.ts';

export const KEY = 'tk_everything';
/** A key without permissions. */
export const BARE_KEY = 'tk_nothing';
/** A key of the operator API. */
export const ADMIN_KEY = 'tk_admin';
export const AUTHORIZED = { authorization: `Bearer ${KEY}` };

/** Handlers whose answers may be of any form. */
export type TestHandlers = {
  readonly [K in RouteId]?: (input: RouteInput<K>, context: RequestContext) => Promise<AnyReply>;
};

/** Handlers that return their input, as `{route, input}`. */
export function echoHandlers(overrides: TestHandlers = {}): Handlers {
  const echo = (route: string) => async (input: object) => ({
    text: jsonText({ route, input }),
    // One of the routes answers 204, which allows no body.
    status: 200,
  });
  const all = Object.fromEntries(Object.keys(ROUTES).map((id) => [id, echo(id)]));
  return { ...all, ...overrides } as Handlers;
}

export interface TestAppOptions extends Partial<Omit<HttpOptions, 'handlers'>> {
  readonly handlers?: TestHandlers;
}

export function testApp({ handlers, ...options }: TestAppOptions = {}) {
  const { log, lines } = collectingLog();
  const keys = memoryKeyStore();
  keys.put(KEY, apiKey());
  keys.put(BARE_KEY, apiKey({ id: 'key-2', permissions: [] }));
  keys.put(ADMIN_KEY, apiKey({ id: 'key-3', permissions: ['admin'] }));
  let ids = 0;
  const clock: Clock = {
    now: () => 1_767_225_600_000,
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };
  const { authenticate } = createAuthenticator({ keys: keys.store, clock, log });
  const app = createHttpApp({
    handlers: echoHandlers(handlers),
    authenticate,
    log,
    outages: createOutageLog({ log, now: clock.now }),
    clock,
    requestDeadlineMs: 120_000,
    keyAudit: {
      write: async () => undefined,
      entry: () => {
        throw new Error('nothing is changed here');
      },
    },
    clientAddress: () => null,
    ...options,
  });
  return { app, lines, keys };
}

export type App = ReturnType<typeof testApp>['app'];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form
  readonly body: any;
}

export async function answerOf(pending: Response | Promise<Response>): Promise<Answer> {
  const response = await pending;
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** POSTs a body: an object as its JSON, text and bytes as they are. */
export function post(
  app: App,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return answerOf(
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...AUTHORIZED, ...headers },
      body: isRaw ? (body as string) : JSON.stringify(body),
    }),
  );
}

export function get(app: App, path: string, headers: Record<string, string> = AUTHORIZED) {
  return answerOf(app.request(path, { headers }));
}

export const pathOf = (id: RouteId): string =>
  ROUTES[id].path.replace(/\{\w+\}/, 'a1b2c3d4-0000-4000-8000-00000000000f');

/** A promise with its resolve, to await an event of a callback. */
export function event(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}
