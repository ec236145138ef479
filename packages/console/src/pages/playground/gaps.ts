import type { Warning } from '@trawl/contract';

/** Why a value is not there. */
export type Absence = 'gap' | 'empty' | 'not-asked';

/**
 * The fields that a provider cannot supply for this request, each with the sentence that says so. A
 * warning may name several fields, and several such parts:
 * `title, author: x cannot supply these; html: only at tier max`.
 */
export function gapsOf(warnings: readonly Warning[]): ReadonlyMap<string, string> {
  const gaps = new Map<string, string>();
  for (const { code, message } of warnings) {
    if (code !== 'capability_gap') continue;
    for (const part of message.split('; ')) {
      const names = /^([a-z_]+(?:, [a-z_]+)*): /.exec(part)?.[1] ?? '';
      for (const name of names.split(', '))
        if (name !== '' && !gaps.has(name)) gaps.set(name, part);
    }
  }
  return gaps;
}

/** A value that says nothing. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
