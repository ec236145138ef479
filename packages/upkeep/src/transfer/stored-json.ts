import { isJsonObject, LIMITS, RUN_STATUSES } from '@trawl/contract';
import { z } from 'zod';
import { type InteractionLine, isStorable, type RunLine, UNSTORABLE } from './lines.ts';

/** What a line does not allow: where, and why. */
export interface LineFault {
  readonly place: string;
  readonly problem: string;
}

// Only what is read of recorded JSON: records of older versions lack other members, those of newer
// ones have more.

const text = z.string().nullish();
const number = z.number().nullish();
const warnings = z.array(z.looseObject({ code: z.string() })).nullish();
const object = z.looseObject({}).nullish();
const error = z.looseObject({ code: z.string(), message: z.string(), warnings }).nullish();

const page = z.looseObject({
  ...{ url: z.string(), status: z.enum(RUN_STATUSES), title: text, canonical_url: text },
  ...{ provider: text, http_status: number, latency_ms: number, content_length: number },
  ...{ warnings, error: z.looseObject({ code: z.string() }).nullish() },
});
const pages = z.looseObject({ fetched_results: z.array(page), warnings });
const row = z.looseObject({ url: text, title: text, rank: number });
const rows = z.looseObject({ results: z.array(row), warnings });

const run = {
  // a page of a long answer is found by it
  id: z.string().refine(isStorable, UNSTORABLE),
  status: z.enum(RUN_STATUSES),
  batch_index: z.int().min(0),
  query: z.string(),
  latency_ms: number,
  error,
};
const found = (output_payload: z.ZodType) =>
  z.looseObject({ ...run, preprocessor_name: z.string(), output_payload });
const BODIES = {
  failed: found(z.null()),
  pages: found(pages),
  rows: found(rows),
  postprocessor: z.looseObject({
    ...run,
    postprocessor_name: z.string(),
    output_payload: z.looseObject({}),
  }),
  merged: z.looseObject({
    batch_index: z.int().min(0),
    rows: z.array(z.looseObject({ rank: z.int(), url: z.string(), title: text })),
  }),
};

const routing = z
  .array(z.looseObject({ topic: z.string().nullish(), providers: z.array(z.string()) }))
  .nullish();
const titles = z.record(z.string(), z.string()).nullish();

/** Twice what a request or an answer of a provider may have. */
const LEVELS_MAX = 2 * LIMITS.nestingLevels;

/** Why the JSON of an interaction is not what its column says; undefined = it is. */
export function storedJsonFault(line: InteractionLine): LineFault | undefined {
  const { user_input, metadata } = line;
  const places = new Set<string>();
  for (const [at, { kind, position, body, body_text: bodyText }] of line.runs.entries()) {
    const place = `${kind} ${position}`;
    if (places.has(place)) {
      return { place: `runs.${at}.position`, problem: `another run has the place ${place}` };
    }
    places.add(place);
    const fault = jsonFault(`runs.${at}.body`, [body, bodyText], bodySchema(kind));
    if (fault) return fault;
  }
  return (
    jsonFault('user_input', [user_input, line.user_input_text], () => object) ??
    jsonFault('request', [line.request, line.request_text], () => object) ??
    jsonFault('metadata', [metadata, line.metadata_text], () => object) ??
    // PostgreSQL reads these two by their members
    jsonFault('routing', [line.routing, line.routing_text], () => routing, true) ??
    jsonFault('titles', [line.titles, line.titles_text], () => titles, true)
  );
}

/** The one that the product takes a body for, so that the fault names its member. */
const bodySchema =
  (kind: RunLine['kind']) =>
  (body: unknown): z.ZodType => {
    if (kind !== 'preprocessor') return BODIES[kind];
    const output = isJsonObject(body) ? body.output_payload : undefined;
    if (output === null) return BODIES.failed;
    return isJsonObject(output) && 'fetched_results' in output && !('results' in output)
      ? BODIES.pages
      : BODIES.rows;
  };

function jsonFault(
  name: string,
  [member, asText]: readonly [unknown, string | undefined],
  schemaOf: (value: unknown) => z.ZodType,
  isSearched = false,
): LineFault | undefined {
  let value = member;
  if (asText !== undefined) {
    try {
      value = JSON.parse(asText);
    } catch {
      return { place: `${name}_text`, problem: 'is not JSON' };
    }
  }
  const problem = formFault(value, isSearched);
  if (problem !== undefined) return { place: name, problem };
  const issue = schemaOf(value).safeParse(value).error?.issues[0];
  return issue && { place: [name, ...issue.path].join('.'), problem: issue.message };
}

/**
 * Without recursion: what is found here may be nested so deeply that writing it would overflow the
 * stack.
 */
function formFault(json: unknown, isSearched: boolean): string | undefined {
  let level: readonly unknown[] = [json];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > LEVELS_MAX) return `is nested deeper than ${LEVELS_MAX} levels`;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && isSearched && !isStorable(value)) {
        return UNSTORABLE;
      }
      if (typeof value !== 'object' || value === null) continue;
      for (const [member, inner] of Object.entries(value)) {
        if (isSearched) next.push(member);
        next.push(inner);
      }
    }
    level = next;
  }
  return undefined;
}
