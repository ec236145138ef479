import { fenceAfter } from '@trawl/providers/markdown-links';

/** A run of lines, each with its line feed. */
export interface Lines {
  readonly text: string;
  /** Code, without the marks around it where it has some. */
  readonly isCode: boolean;
  /** A line that opens or closes code. */
  readonly isMark: boolean;
}

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** The lines of a markdown document: its prose, and its code, which must not be changed. */
export function linesOf(markdown: string): readonly Lines[] {
  const runs: { lines: string[]; isCode: boolean; isMark: boolean }[] = [];
  let fence: string | null = null;
  let isAfterBlank = true;
  let isInList = false;
  let isIndentedCode = false;
  const add = (line: string, isCode: boolean, isMark = false): void => {
    const last = runs.at(-1);
    if (last && last.isCode === isCode && !last.isMark && !isMark) last.lines.push(line);
    else runs.push({ lines: [line], isCode, isMark });
  };
  for (const line of markdown.split(/(?<=\n)/)) {
    const next = fenceAfter(fence, line);
    if (next !== fence) {
      add(line, true, true);
      fence = next;
      continue;
    }
    const isBlank = line.trim() === '';
    const isIndented = /^(?: {4}|\t)/.test(line);
    // in a list, that is the indent of an item
    isIndentedCode = isIndented && (isIndentedCode || (isAfterBlank && !isInList));
    add(line, fence !== null || (isIndentedCode && !isBlank));
    if (!isBlank && !isIndented) isInList = LIST_ITEM.test(line) || (isInList && /^\s/.test(line));
    isAfterBlank = isBlank;
  }
  return runs.map(({ lines, ...run }) => ({ text: lines.join(''), ...run }));
}
