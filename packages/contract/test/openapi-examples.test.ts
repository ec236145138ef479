import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ROUTES, type Route, type RouteExamples, readExamples } from '../src/index.ts';

const EXAMPLES: Readonly<Record<string, RouteExamples>> = await readExamples();
const ROUTE_LIST = Object.entries<Route>(ROUTES).map(
  ([id, route]) => [id, { ...route, examples: EXAMPLES[id] ?? { answer: {} } }] as const,
);

const valuesOf = (examples: Readonly<Record<string, { readonly value: unknown }>> = {}) =>
  Object.values(examples).map(({ value }) => value);

/**
 * The schema drops fields that it does not know, so an answer with such a field is not equal to its
 * parsed form.
 */
function expectStrict(schema: z.ZodType, value: unknown): void {
  expect(schema.parse(value)).toEqual(value);
}

test.each(ROUTE_LIST)(
  '%s: the schema accepts the requests of the examples',
  (_id, { body, examples }) => {
    const requests = valuesOf(examples.request);
    expect(requests.length > 0).toBe(body !== undefined);
    for (const request of requests) expect(body?.safeParse(request).error).toBeUndefined();
  },
);

test.each(ROUTE_LIST)('%s: answers of the examples have no unknown fields', (_id, route) => {
  const { examples, response, dryRun, status } = route;
  const answers = valuesOf(examples.answer);
  expect(answers.length > 0).toBe(status !== 204);
  for (const value of [...answers, ...valuesOf(examples.unavailable)]) {
    expectStrict(response, value);
  }
  expect(valuesOf(examples.dryRun).length > 0).toBe(dryRun !== undefined);
  for (const value of valuesOf(examples.dryRun)) if (dryRun) expectStrict(dryRun, value);
});

test.each(ROUTE_LIST.filter(([, { executes }]) => executes))(
  '%s: the events of the example are the parts of its answer',
  (_id, route) => {
    const [text] = valuesOf(route.examples.events);
    const events = [...String(text).matchAll(/event: (\w+)\ndata: (.*)\n\n/g)];
    const data = events.map(([, , json = '']) => JSON.parse(json));
    expect(events.map(([, name]) => name)).toEqual([
      ...data.slice(1).map(() => route.executes),
      'done',
    ]);
    expect(data.slice(0, -1)).toEqual(partsOf(route.executes, data.at(-1)));
    expectStrict(route.response, data.at(-1));
  },
);

// biome-ignore lint/suspicious/noExplicitAny: an example is any JSON
function partsOf(event: string | undefined, { preprocessor_runs: runs, context }: any) {
  if (event === 'run') return runs;
  if (event === 'page') return runs[0].output_payload.fetched_results;
  return context.sources.map(
    ({ n: _n, passages: _passages, ...source }: object & { n: number; passages: object }) => source,
  );
}
