import { plain } from '@trawl/base';
import type { Route } from '@trawl/contract';
import { z } from 'zod';
import type { InputFault } from '../answer/validation-issues.ts';
import { COMPARED_MAX, isNearly } from './misplaced-keys.ts';

/**
 * Makes the reader of parameters that are nearly one of the route's, such as `dryrun`: ignoring
 * them would change what is paid or listed. Other unknown ones are ignored. A strict schema refuses
 * all of them itself.
 */
export function misspeltReader({
  query,
  refusesDryRun,
}: Pick<Route, 'query' | 'refusesDryRun'>): (url: string) => readonly InputFault[] {
  const own = new Set(Object.keys(query?.shape ?? {}));
  const names = [...own, ...(refusesDryRun ? ['dry_run'] : [])];
  if (names.length === 0 || query?.def.catchall instanceof z.ZodNever) return () => [];
  return (url) => {
    const start = url.indexOf('?');
    if (start < 0) return [];
    const sent = new Map(new URLSearchParams(url.slice(start)));
    return [...sent]
      .filter(([name]) => !own.has(name))
      .slice(0, COMPARED_MAX)
      .filter(([name]) => names.some((known) => isNearly(plain(name), plain(known))))
      .map(([name, input]): InputFault => {
        const issue = { code: 'unrecognized_keys' as const, keys: [name], path: [], message: '' };
        return { place: 'query', path: [name], issue, input, isExtra: true };
      });
  };
}
