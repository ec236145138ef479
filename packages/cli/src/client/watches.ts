import type { Watch } from '@trawl/client';
import type { CommandContext } from '@trawl/client/terminal/command';
import { idOf } from './named.ts';

/** The id of a watch that is named by its id, its name, or what it asks for. */
export const watchOf = ({ client, signal }: CommandContext, text: string): Promise<string> =>
  idOf(text, {
    noun: 'watch',
    list: 'watch list',
    async *all() {
      for await (const watch of client.watches({}, { signal })) {
        yield { id: watch.id, name: labelOf(watch) };
      }
    },
  });

/** Its name, or else its first query or page. */
export function labelOf({ name, search, fetch }: Watch): string {
  if (name !== null) return name;
  const { user_input: input } = (search ?? {}) as { user_input?: unknown };
  const [query] = (Array.isArray(input) ? input : [input]) as { query?: string }[];
  const { urls } = (fetch ?? {}) as { urls?: readonly string[] };
  return query?.query ?? urls?.[0] ?? '';
}

const UNITS = { m: 1, h: 60, d: 1_440 } as const;
const AGE = /^([1-9]\d{0,4})([mhd])$/;

/** `15m`, `1h` or `2d` */
export function everyOf(minutes: number): string {
  if (minutes % UNITS.d === 0) return `${minutes / UNITS.d}d`;
  return minutes % UNITS.h === 0 ? `${minutes / UNITS.h}h` : `${minutes}m`;
}

/** Minutes of `15m`, `1h` or `2d`; undefined for another text. */
export function ageMinutes(text: string): number | undefined {
  const [, count, unit] = AGE.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}
