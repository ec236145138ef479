import type { z } from 'zod';
import type { SearchProvider } from '../declaration/search.ts';
import { PROVIDERS } from '../registry.ts';
import { declaredProvider } from './declared-provider.ts';
import { type DeclaringRules, entryFaults, shown } from './faults.ts';
import { type DeclaredEntry, ProvidersFile } from './schema.ts';

/** Names with another meaning where requests and settings name providers. */
const TAKEN = new Set([
  ...PROVIDERS.map(({ slug }) => slug),
  ...['all', 'auto', 'none', 'off', 'on', 'web_fetch'],
]);

/**
 * The search providers that a file declares, or everything that is wrong with it: each problem
 * names its place, and no value.
 */
export function readDeclared(
  value: unknown,
  rules: DeclaringRules,
): { readonly providers: readonly SearchProvider[] } | { readonly problems: readonly string[] } {
  const parsed = ProvidersFile.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => issueText(issue, value));
    return { problems };
  }
  const { providers: entries } = parsed.data;
  const problems = entries.flatMap((entry, index) => [
    ...slugFaults(entry, index, entries),
    ...entryFaults(entry, rules).map(
      ({ path, problem }) => `${placeOf(['providers', index, ...path])} ${problem}`,
    ),
  ]);
  if (problems.length > 0) return { problems };
  const variable = (name: string) => rules.variable(name) ?? '';
  return { providers: entries.map((entry) => declaredProvider(entry, variable)) };
}

function slugFaults(
  { slug }: DeclaredEntry,
  index: number,
  entries: readonly DeclaredEntry[],
): readonly string[] {
  const place = placeOf(['providers', index, 'slug']);
  if (TAKEN.has(slug)) return [`${place} is ${slug}, which is built in; choose another one`];
  const first = entries.findIndex((entry) => entry.slug === slug);
  return first < index ? [`${place} is that of providers[${first}] too; choose another one`] : [];
}

/** `providers[0].fields.url` */
function placeOf(path: readonly PropertyKey[]): string {
  const place = path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${shown(String(key))}`,
    '',
  );
  return place === '' ? 'the file' : place;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  const place = placeOf(issue.path);
  if (issue.code === 'invalid_type') {
    const kind = KINDS[issue.expected] ?? 'of another type';
    return `${place} ${isMissing(issue.path, value) ? 'is missing: it ' : ''}must be ${kind}`;
  }
  if (issue.code === 'unrecognized_keys') {
    return `${place} ${issue.message.replace('key;', `key ${issue.keys.map(shown).join(', ')};`)}`;
  }
  if (issue.code === 'invalid_value') {
    const must = `must be one of ${issue.values.join(', ')}`;
    return `${place} ${isMissing(issue.path, value) ? 'is missing: it ' : ''}${must}`;
  }
  if (issue.code === 'too_small') return `${place} must be at least ${issue.minimum}${unit(issue)}`;
  if (issue.code === 'too_big') return `${place} must be at most ${issue.maximum}${unit(issue)}`;
  return `${place} ${issue.message}`;
}

const unit = ({ origin }: { readonly origin: string }): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' long' : '';

function isMissing(path: readonly PropertyKey[], value: unknown): boolean {
  let found = value;
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return false;
    found = (found as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return found === undefined;
}
