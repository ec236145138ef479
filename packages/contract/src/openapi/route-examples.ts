import type { RouteId } from '../routes/routes.ts';

/** Examples of requests, or of answers, by name. */
export type Examples = Readonly<
  Record<string, { readonly summary: string; readonly value: unknown }>
>;

/** The examples of one route. */
export interface RouteExamples {
  /** Bodies that are answered with the route's own status. */
  readonly request?: Examples;
  readonly answer: Examples;
  readonly dryRun?: Examples;
  /** The answer as a table, where it can be asked for. */
  readonly csv?: Examples;
  /** The answer as text for a model, where it can be asked for. */
  readonly text?: Examples;
  /** The answer as events. */
  readonly events?: Examples;
  /** Its answer with status 503, where that is not an error. */
  readonly unavailable?: Examples;
}

/**
 * The examples of all routes, as `npm run docs` records them. They are read with the first call: a
 * server starts without.
 */
export async function readExamples(): Promise<Readonly<Record<RouteId, RouteExamples>>> {
  const { default: examples } = await import('./recorded.json', { with: { type: 'json' } });
  return examples;
}
