/** What Parallel's endpoints have in common: https://docs.parallel.ai/resources/warnings-and-errors */
import type { ReportedUsage } from '../declaration.ts';
import { finiteNumber, objects, text, texts } from '../read.ts';
import { plainText } from '../text.ts';

export const PARALLEL = {
  slug: 'parallel',
  name: 'Parallel',
  baseUrl: 'https://api.parallel.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['PARALLEL_API_KEY'],
} as const;

export function parallelExcerpts(excerpts: unknown): readonly string[] {
  return texts(excerpts).flatMap((part) => plainText(part) ?? []);
}

/** What was billed, as a list of names and counts. */
export function parallelUsage(billed: unknown): ReportedUsage | null {
  const items = objects(billed).flatMap(({ name, count }) => {
    const key = text(name);
    return key === null || finiteNumber(count) === null ? [] : [[key, count] as const];
  });
  return items.length > 0 ? { units: Object.fromEntries(items), costUsd: null } : null;
}
