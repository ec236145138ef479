import { comparable, hasWords, type PageText } from './diagnose-text.ts';

/** Of the markup: marks and mount points stand early, or after scripts of some size. */
const HTML_LENGTH = 262_144;
/** A page that an application has yet to draw shows its name and little else. */
const SHELL_WORDS = 30;

/** An element into which an application draws itself, and which is empty. */
const EMPTY_MOUNT =
  /<(?:div|main|section)\b[^<>]{0,200}\bid=["']?(?:root|app|__next|__nuxt|react-root|app-root|svelte|mount|application|gatsby-focus-wrapper)["']?[^<>]{0,200}>\s{0,200}<\/|<app-root\b[^<>]{0,200}>\s{0,200}<\/app-root>/;

/** A paid article begins with a paragraph or two; one that came whole is longer. */
const TEASER_WORDS = 120;

/**
 * Whether the markup says of a text as short as a teaser that reading on costs something.
 * https://developers.google.com/search/docs/appearance/structured-data/paywalled-content
 */
export function isMeteredTeaser(html: string, text: PageText): boolean {
  if (text.words > TEASER_WORDS) return false;
  return /"isaccessibleforfree"\s{0,9}:\s{0,9}"?false/.test(html);
}

/** The part of the markup that is looked at, in small letters. */
export function htmlHead(html: string | null): string {
  return (html ?? '').slice(0, HTML_LENGTH).toLowerCase();
}

/**
 * Whether the markup is a shell that a script fills, and the text is no more than what the shell says: its title and
 * its notice for browsers without scripts. Words that are not in it were drawn by a script, so somebody ran it.
 */
export function isScriptShell(html: string, text: PageText): boolean {
  if (text.words > SHELL_WORDS || !html.includes('<script') || !EMPTY_MOUNT.test(html))
    return false;
  const body = html.slice(Math.max(html.indexOf('<body'), 0));
  if (hasWords(without(body, UNSEEN))) return false;
  const shell = comparable(without(html, SOURCES));
  return text.sentences.every((sentence) =>
    sentence.text.split(/[^\p{L}\p{N}]+/u).every((word) => shell.includes(word)),
  );
}

/** Where elements of some names start and end. */
interface ElementMarks {
  readonly start: RegExp;
  readonly end: RegExp;
}

const SOURCES: ElementMarks = {
  start: /<(?:script|style)\b/,
  end: /<\/(?:script|style)\s{0,9}>/,
};
/** What a browser with scripts does not show. */
const UNSEEN: ElementMarks = {
  start: /<(?:script|style|noscript|template|title)\b/,
  end: /<\/(?:script|style|noscript|template|title)\s{0,9}>/,
};

function without(html: string, { start, end }: ElementMarks): string {
  const [first = '', ...others] = html.split(start);
  return [first, ...others.map((part) => part.split(end).slice(1).join(' '))].join(' ');
}
