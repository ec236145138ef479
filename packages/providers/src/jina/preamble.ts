import type { JsonObject } from '@trawl/contract';

const START = /^Title:/;
const END = /^Markdown Content:[ \t]{0,20}\r?$/m;
const LABEL = /^(URL Source|Published Time|Warning|Number of Pages):/;

/** The lines above the page in a text answer, under the names of the JSON answer. */
export interface Preamble {
  readonly page: JsonObject;
  /** The page's own text. */
  readonly content: string;
}

/**
 * Separates the lines that the reader puts before a page (title, address, date, warnings) from the
 * page. null where a text has no such lines: then the whole text is the page.
 */
export function splitPreamble(text: string): Preamble | null {
  const end = START.test(text) ? END.exec(text) : null;
  if (!end) return null;
  const head = text.slice(0, end.index);
  const content = text.slice(end.index + end[0].length).replace(/^\n/, '');
  return { page: readHead(head), content: content.replace(/\r?\n$/, '') };
}

function readHead(head: string): JsonObject {
  const [first = '', ...lines] = head.split('\n');
  const warnings: string[] = [];
  const page: Record<string, unknown> = { title: first.replace(START, '').trim() };
  for (const line of lines) {
    const [start = '', label] = LABEL.exec(line) ?? [];
    const value = line.slice(start.length).trim();
    if (label === 'URL Source') page.url = value;
    else if (label === 'Published Time') page.publishedTime = value;
    else if (label === 'Number of Pages') page.numPages = Number(value);
    else if (label === 'Warning') warnings.push(value);
  }
  return warnings.length > 0 ? { ...page, warning: warnings.join('\n') } : page;
}
