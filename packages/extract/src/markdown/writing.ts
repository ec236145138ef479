import { absoluteUrl } from '@trawl/providers/urls';
import type { PageElement } from '../dom/dom.ts';
import { createBlockTest, NEVER_TEXT } from '../dom/tags.ts';

/** How a page is written: the format and what depends on it. */
export interface Writing {
  readonly isMarkdown: boolean;
  readonly baseUrl: string;
  readonly isBlock: (element: PageElement) => boolean;
  /** Whether nothing in the element is text of the page. */
  readonly isOutside: (element: PageElement) => boolean;
  /** Escapes text for a line of this format. */
  readonly escape: (text: string) => string;
  /** An address to be put in parentheses; null = the link is not written. */
  readonly address: (href: string) => string | null;
}

export function createWriting(format: 'markdown' | 'text', baseUrl: string): Writing {
  const isMarkdown = format === 'markdown';
  return {
    isMarkdown,
    baseUrl,
    isBlock: createBlockTest(),
    isOutside: (element) => NEVER_TEXT.has(element.localName) && !isTask(element),
    escape: isMarkdown ? escapeMarkdown : (text) => text,
    address: (href) => {
      const url = absoluteUrl(href, baseUrl);
      return url?.replace(/[()\s]/g, (character) => PARENTHESES[character] ?? '%20') ?? null;
    },
  };
}

function isTask(element: PageElement): boolean {
  return element.localName === 'input' && element.getAttribute('type') === 'checkbox';
}

const PARENTHESES: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

/** Escapes only what would be read as markup, because many backslashes make a text hard to read. */
function escapeMarkdown(text: string): string {
  if (!/[\\`*_[<~]/.test(text)) return text;
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[`*]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\[(?=[^[\]\n]{0,300}\]\()/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/~~/g, '\\~~');
}

/** Escapes the start of a paragraph that would be read as a list, a heading or a quote. */
export function escapeLineStart(line: string): string {
  return line.replace(/^(#{1,6}\s|[-+>](?=\s|$)|\d{1,9}(?=[.)]\s))/, (start) =>
    /^\d/.test(start) ? `${start}\\` : `\\${start}`,
  );
}
