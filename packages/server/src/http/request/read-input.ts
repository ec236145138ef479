import { storableText, withNumberAt } from '@trawl/base';
import { CURSOR, ROUTES, type Route, type RouteId, type RouteInput } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import type { z } from 'zod';
import { MISSING } from '../answer/fault-kinds.ts';
import { type BodyNames, bodyNames, hintsOf } from '../answer/hints.ts';
import {
  faultsOf,
  type HintOf,
  type InputFault,
  type InputPlace,
  typedBodyRefusal,
  typedRefusal,
  validationIssues,
  withHint,
} from '../answer/validation-issues.ts';
import type { HttpContext } from '../exchange.ts';
import { misplacedFaults, misspeltReader } from './misplaced-names.ts';
import { checkContentType, hasNoBody, readBody } from './read-body.ts';
import { readJson } from './read-json.ts';
import { type Parameters, queryReader } from './read-parameters.ts';

/** What the reading of a request needs to know of its route. */
export type InputRoute = Pick<
  Route,
  'errors' | 'params' | 'query' | 'body' | 'bodyForm' | 'misplaced' | 'refusesDryRun'
> & {
  /** The body has a secret, so an error does not repeat what was sent. */
  readonly hasSecret?: boolean;
};

/** The parts of a request after validation. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Makes the reader of the input of one of the contract's routes. */
export function inputReader<K extends RouteId>(
  id: K,
): (context: HttpContext) => Promise<RouteInput<K>> {
  // The schemas of the route make these values, so they have these types.
  return readerOf(ROUTES[id]) as (context: HttpContext) => Promise<RouteInput<K>>;
}

/**
 * Makes the reader of a route's input: content type 415, size 413, then all faults of path, query
 * and body in one 422.
 */
export function readerOf(route: InputRoute): (context: HttpContext) => Promise<Input> {
  // made with the first request: a start does not wait for the schemas of all routes
  let parts: ReturnType<typeof readingParts> | undefined;
  return async (context) => {
    parts ??= readingParts(route);
    const { readQuery, misspelt, isBodyOptional, hintOf, own } = parts;
    const faults: InputFault[] = [];
    const values = route.body ? await readBodyValue(context, route, isBodyOptional) : undefined;
    const params = checked('path', route.params, route.params && pathParameters(context), faults);
    const query = checked('query', route.query, readQuery?.(context.req.raw.url), faults);
    const body = checked('body', route.body, { sent: values, read: values }, faults);
    faults.push(...misspelt(context.req.raw.url));
    if (route.misplaced) faults.push(...misplacedFaults(values, route.misplaced, own));
    const [first, ...more] = faults;
    if (first) {
      if (faults.every(isCursorFault)) throw unknownCursor(first);
      const shown: Faults = [first, ...more];
      throw refusal(route, route.hasSecret ? withoutInput(shown) : shown, hintOf);
    }
    return { params, query, body };
  };
}

function readingParts(route: InputRoute) {
  const names: BodyNames = route.body ? bodyNames(route.body) : new Map();
  return {
    readQuery: route.query && queryReader(route.query),
    misspelt: misspeltReader(route),
    isBodyOptional: route.body?.safeParse(undefined).success === true,
    hintOf: hintsOf(route, names),
    own: new Set(names.get('')),
  };
}

/** A place that no list has, such as `zzz`: ignoring it would look like the end of the list. */
const isCursorFault = ({ issue }: InputFault): boolean =>
  issue.code === 'invalid_format' && issue.format === CURSOR;

const unknownCursor = ({ path: [name] }: InputFault): RequestError =>
  new RequestError(404, `${String(name)}: this list has no such entry`, {
    hint: 'send what the page before answered, or leave it out',
  });

interface Sent {
  readonly sent: unknown;
  readonly read: unknown;
}

/** Faults quote what was sent. */
const READING = { reportInput: true };

/** The value of one part of the request by its schema; its faults are added to the list. */
function checked(
  place: InputPlace,
  schema: z.ZodType | undefined,
  value: Sent | undefined,
  faults: InputFault[],
): unknown {
  if (!schema || !value) return undefined;
  const exact = schema.safeParse(value.read, READING);
  if (exact.success) return exact.data;
  // schemas know no `bigint`: an option with such a value is a number that is too large
  const long = exact.error.issues.filter(({ input }) => typeof input === 'bigint');
  const numbers = long.reduce((read, { path }) => withNumberAt(read, path), value.read);
  const outcome = long.length > 0 ? schema.safeParse(numbers, READING) : exact;
  if (outcome.success) return outcome.data;
  // Not spread: there may be more faults than a call can have arguments.
  for (const fault of faultsOf(place, outcome.error.issues, value.sent)) faults.push(fault);
  return undefined;
}

/** Percent-encoding that cannot be decoded stays as it is, for the schema to refuse. */
function pathParameters(context: HttpContext): Parameters {
  const sent = Object.fromEntries(
    Object.entries(context.req.param()).map(([name, text]) => [name, storableText(text)]),
  );
  return { sent, read: sent };
}

async function readBodyValue(
  context: HttpContext,
  route: InputRoute,
  isOptional: boolean,
): Promise<unknown> {
  const request = context.req.raw;
  if (isOptional && hasNoBody(request, context.env)) return undefined;
  checkContentType(request.headers);
  const reading = readJson(await readBody(request, context.env));
  if (isOptional && !reading.ok && reading.issue.type === MISSING.type) return undefined;
  const isTyped = route.errors === 'typed';
  const form = route.bodyForm && `write ${route.bodyForm}`;
  if (!reading.ok) {
    const { issue } = reading;
    const hint = issue.type === MISSING.type ? form : undefined;
    throw isTyped
      ? typedBodyRefusal(`The body is not JSON: ${faultText(issue.ctx, issue.msg)}`, hint)
      : new RequestError(422, [withHint(issue, hint)]);
  }
  if (isTyped && (typeof reading.value !== 'object' || Array.isArray(reading.value))) {
    throw typedBodyRefusal('The body must be a JSON object', form);
  }
  return reading.value;
}

function faultText(ctx: Readonly<Record<string, unknown>> | undefined, msg: string): string {
  return typeof ctx?.error === 'string' ? ctx.error : msg;
}

type Faults = [InputFault, ...InputFault[]];

const withoutInput = ([first, ...rest]: Faults): Faults => [
  { ...first, input: null },
  ...rest.map((fault) => ({ ...fault, input: null })),
];

function refusal(
  route: InputRoute,
  faults: readonly [InputFault, ...InputFault[]],
  hintOf: HintOf,
): RequestError {
  return route.errors === 'typed'
    ? typedRefusal(faults, hintOf)
    : new RequestError(422, validationIssues(faults, hintOf));
}
