import { comparable, hasWords, type PageText } from './diagnose-text.ts';

/**
 * How much of the markup is examined: marks and mount points come early, or after large scripts.
 */
const HTML_LENGTH = 262_144;
/** A page that an application has not rendered yet shows its name and little else. */
const SHELL_WORDS = 30;

/** An empty element into which an application renders. */
const EMPTY_MOUNT =
  /<(?:div|main|section)\b[^<>]{0,200}\bid=["']?(?:root|app|__next|__nuxt|react-root|app-root|svelte|mount|application|gatsby-focus-wrapper)["']?[^<>]{0,200}>\s{0,200}<\/|<app-root\b[^<>]{0,200}>\s{0,200}<\/app-root>/;

/** The teaser of a paid article is a paragraph or two; a full article is longer. */
const TEASER_WORDS = 120;

/**
 * Whether a text is as short as a teaser and the markup declares that the rest is paid.
 * https://developers.google.com/search/docs/appearance/structured-data/paywalled-content
 */
export function isMeteredTeaser(html: () => string, text: PageText): boolean {
  if (text.words > TEASER_WORDS) return false;
  return /"isaccessibleforfree"\s{0,9}:\s{0,9}"?false/.test(html());
}

/** The part of the markup that is examined, in lower case. */
export function htmlHead(html: string | null): string {
  return (html ?? '').slice(0, HTML_LENGTH).toLowerCase();
}

/**
 * Whether the markup is a shell that a script fills, and the text has only the words of the shell:
 * its title and its notice for browsers without scripts. Other words show that the script did run.
 */
export function isScriptShell(htmlOf: () => string, text: PageText): boolean {
  if (text.words > SHELL_WORDS) return false;
  const html = htmlOf();
  if (!html.includes('<script') || !EMPTY_MOUNT.test(html)) return false;
  const body = html.slice(Math.max(html.indexOf('<body'), 0));
  if (hasWords(without(body, HIDDEN))) return false;
  const shell = comparable(without(html, SOURCES));
  return text.sentences.every((sentence) =>
    sentence.text.split(/[^\p{L}\p{N}]+/u).every((word) => shell.includes(word)),
  );
}

/** The start and end tags of some elements. */
interface ElementMarks {
  readonly start: RegExp;
  readonly end: RegExp;
}

const SOURCES: ElementMarks = {
  start: /<(?:script|style)\b/,
  end: /<\/(?:script|style)\s{0,9}>/,
};
/** What a browser with scripts does not show. */
const HIDDEN: ElementMarks = {
  start: /<(?:script|style|noscript|template|title)\b/,
  end: /<\/(?:script|style|noscript|template|title)\s{0,9}>/,
};

function without(html: string, { start, end }: ElementMarks): string {
  const [first = '', ...others] = html.split(start);
  return [first, ...others.map((part) => part.split(end).slice(1).join(' '))].join(' ');
}
