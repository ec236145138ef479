import { styleText } from 'node:util';

import type { Environment } from '../values/environment.ts';

export type { Environment };

export type Painter = (text: string) => string;

/** How to write to a stream. */
export interface Style {
  readonly isTerminal: boolean;
  readonly bold: Painter;
  readonly dim: Painter;
  readonly good: Painter;
  readonly bad: Painter;
  readonly warning: Painter;
}

/** The style of a stream in an environment. */
export function styleOf(stream: { readonly isTTY?: boolean }, environment: Environment): Style {
  const isTerminal = stream.isTTY === true;
  const isPainted = wantsColour(isTerminal, environment);
  const paint =
    (format: Parameters<typeof styleText>[0]): Painter =>
    (text) =>
      // without validateStream, styleText would decide by standard output
      isPainted ? styleText(format, text, { validateStream: false }) : text;
  return {
    isTerminal,
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    warning: paint('yellow'),
  };
}

/** NO_COLOR wins over FORCE_COLOR. Without either, a terminal gets colour unless TERM is dumb. */
function wantsColour(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== '0';
  return isTerminal && TERM !== 'dumb';
}

/**
 * One line without control characters: the title of a page may not control a terminal or break a
 * row.
 */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** The same for a text of several lines. */
export const printable = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
