import { lineOf } from '../dom/dom.ts';
import { parseHtml } from '../dom/parse-html.ts';

/** A text of a feed. */
export interface FeedText {
  readonly text: string;
  readonly isHtml: boolean;
}

export const plain = (text = ''): FeedText => ({ text: withoutSection(text), isHtml: false });

export const html = (text = ''): FeedText => ({ text: withoutSection(text), isHtml: true });

const SECTION = { start: '<![CDATA[', end: ']]>' };

/** Some feeds escape the marks of a CDATA section too, which are then around the whole text. */
function withoutSection(given: string): string {
  const text = given.trim();
  const isWhole = text.startsWith(SECTION.start) && text.endsWith(SECTION.end);
  return isWhole ? text.slice(SECTION.start.length, -SECTION.end.length).trim() : text;
}

/** A tag in a text about tags or types, such as `<template>` or `Map<K, V>`, has no end tag. */
const MARKUP =
  /<\/[a-z][a-z\d]*\s*>|<(?:br|hr|img|li|p)[\s/>]|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,30}\d{0,2});/i;

/** RSS does not say what a text is. */
export const perhapsHtml = (text = ''): FeedText => (MARKUP.test(text) ? html(text) : plain(text));

interface AtomText {
  readonly value?: string;
  readonly type?: string;
}

/** Atom says what a text is (RFC 4287 3.1, 4.1.3.1); nothing for a picture or a file. */
export function atomText({ value, type = 'text' }: AtomText = {}): FeedText {
  if (/^(?:html|xhtml|text\/html|application\/xhtml\+xml)\b/i.test(type)) return html(value);
  return /^text\b/i.test(type) ? plain(value) : plain();
}

/** The first that has text. */
export const firstText = (...texts: readonly FeedText[]): FeedText =>
  texts.find(({ text }) => text !== '') ?? plain();

/** The text in one line, without markup. */
export const feedLine = ({ text, isHtml }: FeedText): string =>
  lineOf(isHtml ? parseHtml(`<html><body>${text}</body></html>`).body.textContent : text);
