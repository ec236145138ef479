import { decodeHTML } from 'entities';
import { createOpenElements, type ElementHandler } from './open-elements.ts';
import { endsName, readAttributes, SLASH } from './read-attributes.ts';

/** What is between the start and the end of a page's markup, in its order. */
export interface MarkupHandler extends ElementHandler {
  readonly text: (text: string) => void;
}

/**
 * Reads HTML exactly as htmlparser2 does, which a test compares, in half its time: it looks for the end of a text or a
 * value instead of asking at each character what it means.
 */
export function readMarkup(html: string, handler: MarkupHandler): void {
  const elements = createOpenElements(handler);
  const names = new Map<string, string>();
  const readText = (from: number, to: number): void => {
    if (to > from) handler.text(decodeHTML(html.slice(from, to)));
  };

  /** @returns where the page continues */
  const readStartTag = (from: number): number => {
    const nameEnd = endOfName(html, from);
    const name = html.slice(from, nameEnd);
    const isForeign = elements.isForeign();
    if (nameEnd === html.length) {
      if (!isForeign && startsRaw(name)) handler.text(name);
      return nameEnd;
    }
    const opened = elements.start(name);
    const { attributes, isSelfClosing, end } = readAttributes(html, nameEnd, names);
    if (end < 0) {
      if (isSelfClosing) handler.text(html.slice(-1));
      return html.length;
    }
    elements.open(attributes, isSelfClosing);
    return !isForeign && RAW.has(opened) ? readRaw(opened, end) : end;
  };

  /** Reads the content of an element that has no elements, and its end tag. */
  const readRaw = (name: string, from: number): number => {
    const end = name === 'plaintext' ? -1 : startOfEndTag(html, from, name);
    const text = html.slice(from, end < 0 ? undefined : end);
    if (text !== '') handler.text(CODED.has(name) ? decodeHTML(text) : text);
    return end < 0 ? html.length : readEndTag(end + 1);
  };

  /** @param slash of the tag */
  const readEndTag = (slash: number): number => {
    const nameEnd = endOfName(html, slash + 1);
    if (nameEnd === html.length) return nameEnd;
    elements.close(html.slice(slash + 1, nameEnd));
    const end = html.indexOf('>', nameEnd);
    if (end >= 0) return end + 1;
    handler.text(html.slice(-1));
    return html.length;
  };

  const readDeclaration = (from: number): number => {
    const section = textOfSection(html, from);
    if (section && elements.isForeign()) handler.text(section);
    return endOfDeclaration(html, from);
  };

  /** What reads the markup after `<`; undefined = it is text. */
  const readerAt = (at: number): ((from: number) => number) | undefined => {
    const next = html.charCodeAt(at);
    if (isLetter(next)) return readStartTag;
    if (next === EXCLAMATION || next === QUESTION) return readDeclaration;
    if (next !== SLASH || at + 1 === html.length) return undefined;
    return isLetter(html.charCodeAt(at + 1)) ? readEndTag : readDeclaration;
  };

  let textFrom = 0;
  for (let at = html.indexOf('<'); at >= 0; ) {
    const read = readerAt(at + 1);
    if (read) {
      readText(textFrom, at);
      textFrom = read(at + 1);
    }
    at = html.indexOf('<', read ? textFrom : at + 1);
  }
  readText(textFrom, html.length);
}

/** Elements whose content is text, whatever it looks like. */
const RAW: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style title textarea xmp'.split(' '),
);
/** Those of them in which characters may be written as references. */
const CODED = new Set(['title', 'textarea']);

/** A name that the page's end cuts off. */
function startsRaw(name: string): boolean {
  const small = name.toLowerCase();
  return [...RAW].some((raw) => raw.startsWith(small));
}

const EXCLAMATION = 33;
const QUESTION = 63;

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

function endOfName(html: string, from: number): number {
  let at = from;
  while (at < html.length && !endsName(html.charCodeAt(at))) at += 1;
  return at;
}

const SECTION = '![CDATA[';
const SECTION_END = ']]>';

/** Elements of other languages may have sections of text. */
function textOfSection(html: string, from: number): string | undefined {
  if (!html.startsWith(SECTION, from)) return undefined;
  const end = html.indexOf(SECTION_END, from);
  return end < 0 ? undefined : html.slice(from + SECTION.length, end);
}

/** @param from after `<`, at the start of a comment, a section or a declaration */
function endOfDeclaration(html: string, from: number): number {
  if (html.startsWith('!--', from)) return endOfComment(html, from + 3);
  const mark = html.startsWith(SECTION, from) ? SECTION_END : '>';
  const end = html.indexOf(mark, from + 1);
  return end < 0 ? html.length : end + mark.length;
}

/** @param from after `<!--` */
function endOfComment(html: string, from: number): number {
  if (html.startsWith('>', from)) return from + 1;
  if (html.startsWith('->', from)) return from + 2;
  for (let at = html.indexOf('--', from); at >= 0; at = html.indexOf('--', at + 1)) {
    if (html.startsWith('>', at + 2)) return at + 3;
    if (html.startsWith('!>', at + 2)) return at + 4;
  }
  return html.length;
}

/** @returns -1 = it has none */
function startOfEndTag(html: string, from: number, name: string): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const nameEnd = at + 2 + name.length;
    if (endsName(html.charCodeAt(nameEnd)) && html.slice(at + 2, nameEnd).toLowerCase() === name)
      return at;
  }
  return -1;
}
