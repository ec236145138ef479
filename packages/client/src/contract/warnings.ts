import { type HasRuns, pagesOf } from './answers.ts';
import type { Warning } from './types.ts';

/** Equal warnings of an answer, grouped. */
export interface WarningGroup {
  readonly code: Warning['code'];
  readonly message: string;
  readonly count: number;
  readonly providers: readonly string[];
  /** For a search: the queries it concerns. */
  readonly queries: readonly string[];
  /** For a fetch: the pages it concerns. */
  readonly urls: readonly string[];
}

interface Place {
  readonly provider?: string | null;
  readonly query?: string;
  readonly url?: string;
}

/**
 * All warnings of an answer, including those of failed runs and pages. Equal ones are grouped, the
 * most frequent first.
 */
export function warningsOf(answer: HasRuns): WarningGroup[] {
  const groups = new Map<string, { warning: Warning; places: Place[] }>();
  for (const { warning, place } of placedWarnings(answer)) {
    const name = `${warning.code} ${warning.message}`;
    const group = groups.get(name) ?? { warning, places: [] };
    group.places.push(place);
    groups.set(name, group);
  }
  return [...groups.values()]
    .map(({ warning: { code, message }, places }) => ({
      code,
      message,
      count: places.length,
      providers: distinct(places.map(({ provider }) => provider)),
      queries: distinct(places.map(({ query }) => query)),
      urls: distinct(places.map(({ url }) => url)),
    }))
    .sort((a, b) => b.count - a.count);
}

function placedWarnings(answer: HasRuns): { warning: Warning; place: Place }[] {
  const ofRuns = (answer.preprocessor_runs ?? []).flatMap(
    ({ preprocessor_name: provider, query, output_payload: output, error }) => {
      const place = query === '' ? {} : { provider, query };
      const warnings = output?.warnings ?? error?.warnings ?? [];
      return warnings.map((warning) => ({ warning, place }));
    },
  );
  const ofPages = pagesOf(answer).flatMap(({ url, provider, warnings }) =>
    warnings.map((warning) => ({ warning, place: { provider, url } })),
  );
  return [...ofRuns, ...ofPages];
}

const distinct = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.filter((value) => value != null)),
];
