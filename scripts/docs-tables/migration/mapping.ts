import type { JsonObject } from '@trawl/contract';

/** A parameter of a vendor's own API, and the request to trawl that sets it. */
export interface RequestMapping {
  /** What the vendor receives, as part of its body or query string. */
  readonly sends: JsonObject;
  /** The part of a request to trawl that sets it. */
  readonly ask: JsonObject;
}

/** A parameter that a filter sets. */
export const filtered = (sends: JsonObject, filters: JsonObject): RequestMapping => ({
  sends,
  ask: { search: { filters } },
});

/** A field of a vendor's own answer, and its place in a run of trawl. */
export interface ResponseMapping {
  /** Path in the vendor's answer; `[]` leads into the first element of a list. */
  readonly theirs: string;
  readonly value: unknown;
  /** Path in the run; it is relative to `output_payload` unless it begins with `raw_payload`. */
  readonly ours: string;
  /** The value there; the same value when absent. */
  readonly becomes?: unknown;
}

/** One endpoint of a vendor. */
export interface Migration {
  readonly vendor: string;
  readonly route: 'search' | 'fetch';
  /** Path of the vendor's endpoint. */
  readonly path: string;
  readonly requests: readonly RequestMapping[];
  /** A request that asks for all of these fields. */
  readonly askForAll: JsonObject;
  readonly responses: readonly ResponseMapping[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The values of an object with the paths that lead to them. */
export function leavesOf(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, path === '' ? key : `${path}.${key}`),
  );
}

/** The value at a path. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, step) => {
    const key = step.replace('[]', '');
    const inner = isObject(found) ? found[key] : undefined;
    return step.endsWith('[]') && Array.isArray(inner) ? inner[0] : inner;
  }, value);
}

/**
 * An object with these values at their paths; paths that begin alike lead into the same element.
 */
export function assemble(parts: readonly Pick<ResponseMapping, 'theirs' | 'value'>[]): JsonObject {
  const whole: Record<string, unknown> = {};
  for (const { theirs, value } of parts) {
    const steps = theirs.split('.');
    const last = steps.pop() ?? '';
    const parent = steps.reduce<Record<string, unknown>>((found, step) => {
      const key = step.replace('[]', '');
      found[key] ??= step.endsWith('[]') ? [{}] : {};
      const inner = found[key];
      return (Array.isArray(inner) ? inner[0] : inner) as Record<string, unknown>;
    }, whole);
    const key = last.replace('[]', '');
    parent[key] = last.endsWith('[]') ? [value] : value;
  }
  return whole;
}
