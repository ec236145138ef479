import { decodeHTMLAttribute } from 'entities';

const TAB = 9;
const CARRIAGE_RETURN = 13;
const VERTICAL_TAB = 11;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
export const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;

const isBlank = (code: number): boolean =>
  code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN && code !== VERTICAL_TAB);

/** Whether a character ends a name in a tag. */
export const endsName = (code: number): boolean =>
  code === GREATER || code === SLASH || isBlank(code);

/** What follows the name in a start tag. */
export interface TagRest {
  /** Undefined = it has none. */
  readonly attributes: Map<string, string> | undefined;
  readonly isSelfClosing: boolean;
  /** After the tag; -1 = the page ends before it does. */
  readonly end: number;
}

/** Reads a start tag from the end of its name on. The first of several attributes with the same name counts. */
export function readAttributes(html: string, from: number, names: Map<string, string>): TagRest {
  let attributes: Map<string, string> | undefined;
  let isSelfClosing = false;
  for (let at = from; at < html.length; at += 1) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return { attributes, isSelfClosing, end: at + 1 };
    if (isBlank(code)) continue;
    isSelfClosing = code === SLASH;
    if (isSelfClosing) continue;
    const nameEnd = endOfAttributeName(html, at);
    const name = smallName(html.slice(at, nameEnd), names);
    const valueFrom = startOfValue(html, nameEnd);
    const end = valueFrom < 0 ? nameEnd : endOfValue(html, valueFrom);
    if (end < 0 || end >= html.length) break;
    attributes ??= new Map();
    if (!attributes.has(name)) attributes.set(name, valueAt(html, valueFrom, end));
    const isQuoted = valueFrom >= 0 && isQuote(html.charCodeAt(valueFrom));
    at = isQuoted ? end : end - 1;
  }
  return { attributes, isSelfClosing, end: -1 };
}

/** The first character belongs to the name, whatever it is. */
function endOfAttributeName(html: string, from: number): number {
  let at = from + 1;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === EQUALS || endsName(code)) break;
    at += 1;
  }
  return at;
}

/** Pages repeat few names, and the same string is faster to compare than an equal one. */
function smallName(name: string, names: Map<string, string>): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const small = name.toLowerCase();
  names.set(name, small);
  return small;
}

function skipBlanks(html: string, from: number): number {
  let at = from;
  while (at < html.length && isBlank(html.charCodeAt(at))) at += 1;
  return at;
}

/** @returns -1 = the attribute has no value */
function startOfValue(html: string, nameEnd: number): number {
  const at = skipBlanks(html, nameEnd);
  return html.charCodeAt(at) === EQUALS ? skipBlanks(html, at + 1) : -1;
}

const isQuote = (code: number): boolean => code === DOUBLE_QUOTE || code === SINGLE_QUOTE;

/** @returns the closing quote, or what is after a value without quotes; -1 = the page ends before it does */
function endOfValue(html: string, from: number): number {
  const first = html.charCodeAt(from);
  if (isQuote(first)) return html.indexOf(first === DOUBLE_QUOTE ? '"' : "'", from + 1);
  let at = from;
  while (at < html.length) {
    const code = html.charCodeAt(at);
    if (code === GREATER || isBlank(code)) break;
    at += 1;
  }
  return at;
}

function valueAt(html: string, from: number, end: number): string {
  if (from < 0) return '';
  const isQuoted = isQuote(html.charCodeAt(from));
  return decodeHTMLAttribute(html.slice(isQuoted ? from + 1 : from, end));
}
