/**
 * Placeholders in the texts of a declaration: `{query}` and `{num_results}` of a request, `${NAME}`
 * of the environment. Each is replaced once: what comes in its place is never read again.
 */
import { isJsonObject } from '@trawl/contract';

/** What a request puts in. */
export interface Asked {
  readonly query: string;
  readonly count: number;
}

const OF_REQUEST = /\{(query|num_results)\}/g;
/** Whether a text has a part of the request. */
export const isAsked = (text: string): boolean => text.search(OF_REQUEST) >= 0;

export const COUNT_PLACEHOLDER = '{num_results}';
export const QUERY_PLACEHOLDER = '{query}';

/** A value with what the request asks for; a text that is a count alone becomes a number. */
export function filled(value: unknown, asked: Asked): unknown {
  if (typeof value === 'string') {
    if (value === COUNT_PLACEHOLDER) return asked.count;
    return value.replace(OF_REQUEST, (_, name) =>
      name === 'query' ? asked.query : String(asked.count),
    );
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, asked));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, filled(inner, asked)]),
  );
}

/** A text in a declaration with its place, such as `body.filter.text`. */
export interface PlacedText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Every text in a value, in order. */
export function textsIn(value: unknown, path: readonly string[] = []): readonly PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
}

const OF_ENVIRONMENT = /\$\{([A-Za-z_][A-Za-z0-9_]{0,199})\}/g;
const BEGIN = '${';

export const hasSecret = (text: string): boolean => text.includes(BEGIN);

/** The names of the variables in a text; null where a `${` does not begin one. */
export function variablesIn(text: string): readonly string[] | null {
  const names = [...text.matchAll(OF_ENVIRONMENT)].map(([, name = '']) => name);
  return text.split(BEGIN).length - 1 === names.length ? names : null;
}

export const withVariables = (text: string, variable: (name: string) => string): string =>
  text.replace(OF_ENVIRONMENT, (_, name: string) => variable(name));
