import { arrayParts, type JsonText, jsonText, objectParts, readJson } from '@trawl/base';
import type {
  FetchOutput,
  FetchRow,
  PostprocessorRun,
  PreprocessorRun,
  RouteId,
  Routes,
  StreamEvents,
} from '@trawl/contract';
import type { EmitPart } from '@trawl/router';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { JsonReply, Reply } from '../../src/http/answer/reply.ts';
import type { Handler, Handlers } from '../../src/http/handler.ts';

/** The compiler is the test: a line after `@ts-expect-error` that compiles fails `tsc`. */
describe('an answer is checked against the response of its route', () => {
  it('takes what the contract says', () => {
    const health: Handler<'health'> = async () => ({ text: jsonText({ status: 'ok' }) });
    const readiness: Handler<'readiness'> = async () => ({
      text: jsonText({ status: 'unavailable', detail: 'stopping' }),
      status: 503,
    });
    const usage: Handler<'usage'> = async () => ({
      text: jsonText({
        from: '',
        to: '',
        rows: [{ calls: 1, unpriced_calls: 0, cost_usd: null, cached_calls: 0, saved_usd: 0 }],
      }),
    });
    expect([health, readiness, usage]).toHaveLength(3);
  });

  it('refuses a wrong key', () => {
    const handlers: Partial<Handlers> = {
      // @ts-expect-error statuss is not in the contract
      health: async () => ({ text: jsonText({ statuss: 'ok' }) }),
      // @ts-expect-error nor is detial, though `detail` may be left out
      readiness: async () => ({ text: jsonText({ status: 'unavailable', detial: 'stopping' }) }),
      usage: async () => ({
        // @ts-expect-error a row has calls, not call
        text: jsonText({ from: '', to: '', rows: [{ call: 1, unpriced_calls: 0, cost_usd: 0 }] }),
      }),
    };
    expect(handlers).toBeDefined();
  });

  it('refuses a missing key', () => {
    const handlers: Partial<Handlers> = {
      // @ts-expect-error without a status
      health: async () => ({ text: jsonText({}) }),
      // @ts-expect-error without `to`
      usage: async () => ({ text: jsonText({ from: '', rows: [] }) }),
    };
    expect(handlers).toBeDefined();
  });

  it('refuses a wrong type', () => {
    const handlers: Partial<Handlers> = {
      // @ts-expect-error a word that the contract has not
      health: async () => ({ text: jsonText({ status: 'fine' }) }),
      // @ts-expect-error a list, not one session
      listSessions: async () => ({ text: jsonText({ sessions: {} }) }),
    };
    expect(handlers).toBeDefined();
  });

  it('refuses text of another type, of no known type, and a reply of another kind', () => {
    const handlers: Partial<Handlers> = {
      // @ts-expect-error a text that nothing says anything of
      health: async () => ({ text: '{"status":"ok"}' }),
      // @ts-expect-error the answer of another route
      preprocessors: async (): Promise<Reply<'fetchProviders'>> => ({
        text: jsonText({ fetch_providers: [] }),
      }),
      // @ts-expect-error it has an answer
      readiness: async () => ({ empty: true }),
      // @ts-expect-error it has none
      deleteSession: async () => ({ text: jsonText({}) }),
    };
    expect(handlers).toBeDefined();
  });

  it('is typed for every route that answers JSON', () => {
    type Silent = { [K in RouteId]: Routes[K]['status'] extends 204 ? K : never }[RouteId];
    expectTypeOf<Silent>().toEqualTypeOf<
      'deleteSession' | 'deleteProject' | 'deleteKey' | 'deleteWatch'
    >();
    type JsonRoute = Exclude<RouteId, Silent | 'openapi'>;
    type Untyped = {
      [K in JsonRoute]: JsonReply<unknown> extends Reply<K> ? K : never;
    }[JsonRoute];
    expectTypeOf<Untyped>().toEqualTypeOf<never>();
  });
});

describe('JSON made of texts is checked member by member', () => {
  const id: JsonText<string> = jsonText('a');

  it('takes the texts of all members', () => {
    const output = objectParts<FetchOutput>({
      fetched_results: arrayParts<FetchRow>([]),
      succeeded_count: jsonText(0),
      failed_count: jsonText(0),
      warnings: jsonText([]),
    });
    expect(output.join('')).toBe(
      '{"fetched_results":[],"succeeded_count":0,"failed_count":0,"warnings":[]}',
    );
    expectTypeOf(readJson<{ id: string }>).returns.toEqualTypeOf<{ id: string }>();
  });

  it('refuses a wrong key, a missing one, and the text of another type', () => {
    type Named = { id: string; name?: string };
    // @ts-expect-error nam
    objectParts<Named>({ id, nam: id });
    // @ts-expect-error without id
    objectParts<Named>({ name: id });
    // @ts-expect-error a number
    objectParts<Named>({ id: jsonText<number>(1) });
    // @ts-expect-error a text that nothing says anything of
    objectParts<Named>({ id: '"a"' });
    expect(objectParts<Named>({ id }).join('')).toBe('{"id":"a"}');
  });

  it('refuses a postprocessor run among the runs of providers', () => {
    const run = (text: JsonText<PostprocessorRun>) =>
      // @ts-expect-error
      arrayParts<PreprocessorRun>([text]);
    expect(run).toBeDefined();
  });
});

it('events are typed by their names', () => {
  const send = (emit: EmitPart, run: JsonText<PreprocessorRun>, page: JsonText<FetchRow>) => {
    emit({ event: 'run', text: run });
    emit({ event: 'page', text: page });
    // @ts-expect-error a page is not a run
    emit({ event: 'run', text: page });
    // @ts-expect-error an event that the contract has not
    emit({ event: 'row', text: page });
  };
  expect(send).toBeDefined();
  expectTypeOf<StreamEvents['run']>().toEqualTypeOf<PreprocessorRun>();
});
