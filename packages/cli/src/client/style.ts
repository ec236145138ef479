import { styleText } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;
type Paint = (text: string) => string;

/** How to write to a stream. */
export interface Style {
  readonly isTerminal: boolean;
  readonly bold: Paint;
  readonly dim: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
}

/** Colours on a terminal alone, and not with `NO_COLOR` or on a dumb one. */
export function styleOf(stream: { readonly isTTY?: boolean }, environment: Environment): Style {
  const isTerminal = stream.isTTY === true;
  const isPainted = isTerminal && !environment.NO_COLOR && environment.TERM !== 'dumb';
  const paint =
    (format: Parameters<typeof styleText>[0]): Paint =>
    (text) =>
      isPainted ? styleText(format, text) : text;
  return {
    isTerminal,
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    bad: paint('red'),
    warning: paint('yellow'),
  };
}

/** One line without control characters: what a page says of itself may not steer a terminal, nor break a row. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** The same of a text of several lines. */
export const printable = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '');
