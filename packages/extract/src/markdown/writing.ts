import { absoluteUrl } from '@trawl/contract/urls';
import type { PageElement } from '../dom/dom.ts';
import { createBlockTest, NEVER_TEXT } from '../dom/tags.ts';
import { ALONE, escapeText } from './escape.ts';

/**
 * A link around blocks, which markdown cannot have: it is written on the heading inside, or else
 * on the first text.
 */
interface OuterLink {
  readonly link: Link;
  readonly isForHeading: boolean;
  isWritten: boolean;
}

/** Pieces of text with the same link are one link. */
export interface Link {
  readonly address: string;
}

/** How a page is written: the format and what depends on it. */
export interface Writing {
  readonly isMarkdown: boolean;
  readonly baseUrl: string;
  readonly isBlock: (element: PageElement) => boolean;
  /** Whether nothing in the element is text of the page. */
  readonly isOutside: (element: PageElement) => boolean;
  /** Whether line feeds in the element's own text are line breaks. */
  readonly keepsLines: (element: PageElement | null) => boolean;
  /** Escapes text for a line of this format. */
  readonly escape: (text: string) => string;
  /** An address to be put in parentheses; null = the link is not written. */
  readonly address: (href: string) => string | null;
  /** The marks of everything that is written, as in `pieces.ts`. */
  readonly marks: number;
  readonly outer?: OuterLink;
}

export function createWriting(format: 'markdown' | 'text', baseUrl: string): Writing {
  return {
    isMarkdown: format === 'markdown',
    baseUrl,
    isBlock: createBlockTest(),
    isOutside: (element) => NEVER_TEXT.has(element.localName) && !isTask(element),
    keepsLines: createLineTest(),
    escape: (text) => (format === 'markdown' ? escapeText(text, ALONE) : text),
    address: (href) => {
      const url = addressOf(href, baseUrl);
      return url === null ? null : escapeAddress(url);
    },
    marks: 0,
  };
}

function addressOf(href: string, baseUrl: string): string | null {
  const email = emailOfAddress(href);
  if (email !== null) return `mailto:${email}`;
  return /^\s*(?:mailto|tel):/i.test(href) ? href.trim() : absoluteUrl(href, baseUrl);
}

function isTask(element: PageElement): boolean {
  return element.localName === 'input' && element.getAttribute('type') === 'checkbox';
}

/** Escapes what ends an address, or would be read as a character reference or an escape. */
export function escapeAddress(url: string): string {
  if (!/[()<>\\\s&]/.test(url)) return url;
  return url
    .replace(/[()<>\\\s]/g, (character) => ESCAPES[character] ?? '%20')
    .replace(/&(?=#?\w{1,32};)/g, '&amp;');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '(': '%28',
  ')': '%29',
  '<': '%3C',
  '>': '%3E',
  '\\': '%5C',
};

/** Creates a test for the CSS property `white-space`, which elements inherit. */
function createLineTest(): (element: PageElement | null) => boolean {
  const known = new Map<PageElement, boolean>();
  const test = (element: PageElement | null): boolean => {
    if (element === null) return false;
    const answer = known.get(element);
    if (answer !== undefined) return answer;
    const style = element.getAttribute('style');
    const own = style === null ? null : /white-space\s*:\s*([\w-]+)/i.exec(style);
    const found = own ? /^(?:pre|break-spaces)/i.test(own[1] ?? '') : test(element.parentNode);
    known.set(element, found);
    return found;
  };
  return test;
}

/**
 * The e-mail address that a content network hides from programs and a script of it shows to
 * readers: the first byte is the key of the others. null = not such a text.
 */
export function emailOf(hidden: string | null): string | null {
  if (!hidden || hidden.length > 1_000 || !/^(?:[0-9a-f]{2})+$/i.test(hidden)) return null;
  const [key = 0, ...bytes] = Buffer.from(hidden, 'hex');
  const text = Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8');
  return text.includes('@') ? text : null;
}

/** The same for the address of a link to the network's page about it. */
function emailOfAddress(href: string): string | null {
  const [, hidden] = href.includes(PAGE) ? href.split(PAGE) : [];
  return emailOf(hidden ?? null);
}

const PAGE = '/cdn-cgi/l/email-protection#';
