import { absoluteUrl } from '@trawl/contract/urls';
import { checkForeignText, findPassages, qualityOfText, scoredPieces } from '@trawl/extract';
import {
  decodeText,
  guessCharset,
  type PdfContent,
  type PdfItem,
  read,
  writePdf,
} from '@trawl/extract/testing';
import { comparableUrl, isoDate, plainText, titleText } from '@trawl/providers';
import { hasRelativeLinks } from '@trawl/providers/markdown-links';
import {
  diagnosePage,
  isAllowedByRobots,
  type PageFamily,
  type PageRule,
  pageFamilies,
  pageFamilyRows,
  parseRobots,
} from '@trawl/reader/testing';
import { readQuery } from '@trawl/topics/testing';

/** One way in which text from outside may cost more than linear time. */
export interface GrowthCase {
  readonly name: string;
  /** The text made of `n` parts. */
  readonly text: (n: number) => string;
  readonly read: (text: string) => unknown;
  /** Enough parts that a quadratic reader needs minutes. */
  readonly parts: number;
}

const times = (part: string | ((at: number) => string)) => (n: number) =>
  typeof part === 'string'
    ? part.repeat(n)
    : Array.from({ length: n }, (_, at) => part(at)).join('');

const around = (start: string, part: (n: number) => string, end: string) => (n: number) =>
  start + part(n) + end;

const ARTICLE = `<p>${'Words of a sentence, and more. '.repeat(20)}</p>`;

/** Markup that our own reader reads. */
const PAGES: Readonly<Record<string, (n: number) => string>> = {
  'headings without text after them': (n) => ARTICLE + '<h2>x</h2>'.repeat(n) + '<i></i>'.repeat(n),
  'parts that were streamed late': (n) =>
    ARTICLE +
    times((at) => `<template id="B:${at}"></template>`)(n) +
    times((at) => `<div hidden id="S:${at}">part</div>`)(n),
  'streamed parts within each other': (n) =>
    `${ARTICLE}<template id="B:0"></template>${times(
      (at) => `<div hidden id="S:${at}"><b><template id="B:${at + 1}"></template></b></div>`,
    )(n)}`,
  'lines of code': around('<pre>', times('<div>a line of code</div>'), '</pre>'),
  'a code table': around('<table><tr><td>1<td><pre>b', times('a'), '</pre></table>'),
  'a long title and many headlines': (n) =>
    `<title>${'ab | '.repeat(n)}</title>${'<h1>ab | head</h1>'.repeat(n)}${ARTICLE}`,
  'a picture of many sources': (n) =>
    `<picture>${'<source srcset="">'.repeat(n)}${'<img>'.repeat(n)}</picture>`,
  'a heading of brackets': around('<h2>', times(' x [¶]('), '</h2>'),
  'a row that is wider than all others': (n) =>
    `<table><tr><td colspan=200>x</tr>${'<tr><td>a<td>b'.repeat(n)}</table>`,
  'a long base address': (n) =>
    `<base href="https://site.example/${'a'.repeat(n)}/">${'<a href="x">y</a>'.repeat(n)}`,
  'line breaks and blanks': around('<p>x', times('<br> <br>   '), 'y</p>'),
  'names within names': (n) =>
    `<script type="application/ld+json">{"@type":"Article","headline":"x","author":${'{"name":'.repeat(n)}1${'}'.repeat(n)}}</script>${ARTICLE}`,
  'unclosed tags': times('<p><span><em>x'),
  'code that goes on': around('<p>', times('<code>a</code>'), '</p>'),
  'text between rows': around('<table><tr>', times('<td>a</td></tr>b<tr>'), '</table>'),
  'links that hold blocks': times('<a><div>x'),
  'elements deeper than the tree': (n) => '<div>'.repeat(600) + '<i>x</i><p>y</p>'.repeat(n),
  'quotations deeper than the tree': (n) => '<blockquote>'.repeat(600) + '<p>y</p>'.repeat(n),
  'shadow roots': times(
    '<x-a><template shadowrootmode=open><slot></slot></template><p>x</p></x-a>',
  ),
  'shadow roots in one host': (n) =>
    `<div>${'<template shadowrootmode=open><slot></slot></template>'.repeat(n)}</div>`,
  'shadow roots within each other': (n) =>
    '<x-a><template shadowrootmode=open><slot>'.repeat(n / 10) + '<p>x</p>'.repeat(n),
  'text for browsers without scripts': times('<noscript><p>x</noscript>'),
  'buttons that open sections': times(
    (at) =>
      `<button aria-expanded=false aria-controls=a${at}>Q</button><div id=a${at} hidden>A</div>`,
  ),
  'buttons in one heading': (n) => `<h2>${'<button>b</button>'.repeat(n)}</h2>${ARTICLE}`,
  'hidden parts after a title': (n) => '<div>'.repeat(400) + '<h2>t</h2><p hidden>x</p>'.repeat(n),
  'references to notes': times((at) => `<sup><a href="#n${at}">1</a></sup><p id=n${at}>note</p>`),
  'notes within each other': (n) => '<section class=footnotes>'.repeat(300) + '<i>x</i>'.repeat(n),
  'parts with names of menus': times('<div class=menu><div class=share><p>'),
  'parts with names and entries': (n) =>
    `${ARTICLE}<div class=related>${'<div class=tags><p>A line of text that is long enough to be a sentence.</p><div><a href=/a>x</a></div></div>'.repeat(n / 10)}</div>`,
  'lines that are repeated': (n) =>
    '<div>'.repeat(400) + `<div><p>${'A line that is repeated. '.repeat(4)}</p></div>`.repeat(n),
  'class names with conditions': times('<div class="a:b:c:d:e:f:g:h [&_x]:y">x</div>'),
  'lists within lists of JSON-LD': (n) =>
    `<script type="application/ld+json">${'['.repeat(n / 10)}${'{},'.repeat(n)}{}${']'.repeat(n / 10)}</script>${ARTICLE}`,
  'types in JSON-LD': around(
    '<script type="application/ld+json">',
    times('"@type"   :   '),
    '</script>',
  ),
  'one line': around('<p>', times('word!!! '), '</p>'),
  'hidden parts that speak': times('<p hidden>AI agents: ignore it</p>'),
  'words that speak in hidden parts': around('<p hidden>', times('<b>AI</b> prompt '), '</p>'),
  'hidden parts within each other': (n) =>
    '<div style="opacity:0;color:red"><b>'.repeat(200) + '<i>the user</i> '.repeat(n),
  'rules of one class': (n) =>
    `<style>${'.a{opacity:1;color:red}'.repeat(n)}</style>${'<i class=a>AI user</i>'.repeat(n)}`,
  'rules that never begin': around('<style>', times('}'), '</style><p class=a>AI user</p>'),
  'a long style': (n) => `<p style="${'color:red;/**/'.repeat(n)}">${'AI user. '.repeat(n)}</p>`,
  'comments that speak': times('<!-- AI agents: note for users -->'),
  'tag characters': (n) => `<p>${'\u{e0041}'.repeat(n)}x${'\u{e0041}x'.repeat(n)}</p>`,
  'variation selectors': (n) => `<p>${'\ufe01\ufe02'.repeat(n)}</p>`,
  'characters without width': (n) => `<p>${'\u200b\u200c\u2060\u200d'.repeat(n)}</p>`,
  'words in reverse': times('<p>\u202eab ab'),
};

/** Texts of a page that a diagnosis reads, from any source. */
const TEXTS: Readonly<Record<string, (n: number) => string>> = {
  signs: around('x', times('!'), 'x'),
  blanks: around('x', times(' '), 'x'),
  quotes: around('x', times('"'), 'x'),
  dots: around('x', times('. '), 'x'),
  'image marks': times('![]('),
  'open brackets': times('['),
  'lines of base64': times(`${'QUJD'.repeat(18)}*\n`),
  'broken letters': times('Ã¡'),
  'shell marks': times('<div id=root '),
  'headings without text': times('# \n'),
  'words that speak to programs': times('AI user, '),
  'tag characters': times('\u{e0041}'),
  'open comments': times('<!-- AI '),
  'variation selectors behind the same signs': (n) =>
    `\u200b${'000001\ufe00\ufe01\ufe02\ufe03'.repeat(n)}`,
};

const evidenceOf = (content: string, title: string | null, html: string | null) => ({
  url: 'https://site.example/',
  finalUrl: null,
  content,
  contentFormat: 'markdown' as const,
  title,
  httpStatus: 200,
  contentType: null,
  html,
});

/** The maximum of operator rules, each with the maximum length, for every family. */
const MANY_RULES = Array.from({ length: 1_000 }, (_, index): PageRule => {
  const parts = ['label', 'phrase', 'title', 'hint'] as const;
  const family = pageFamilyRows()
    .map((row) => row.family)
    .join();
  const text = `${'!"x'.repeat(65)} ${index}`;
  return { family, part: parts[index % parts.length] ?? 'label', language: 'any', text };
});

let ownFamilies: readonly PageFamily[] | undefined;
const familiesOfAnOperator = (): readonly PageFamily[] => {
  ownFamilies ??= pageFamilies(MANY_RULES);
  return ownFamilies;
};

const diagnosed = Object.entries(TEXTS).flatMap(([name, text]): GrowthCase[] => [
  {
    name: `diagnosis of a text: ${name}`,
    text,
    read: (content) => diagnosePage(evidenceOf(content, null, null)),
    parts: 200_000,
  },
  {
    name: `quality of a text: ${name}`,
    text,
    read: qualityOfText,
    parts: 200_000,
  },
  {
    name: `findings in a text: ${name}`,
    text,
    read: (content) => checkForeignText(content, content),
    parts: 100_000,
  },
  {
    name: `diagnosis of a title: ${name}`,
    text,
    read: (title) => diagnosePage(evidenceOf('Short.', title, null)),
    parts: 200_000,
  },
  {
    name: `diagnosis by 1,000 rules of an operator: ${name}`,
    text,
    read: (content) =>
      diagnosePage(evidenceOf(content, content, `<b>${content}`), familiesOfAnOperator()),
    parts: 20_000,
  },
  {
    name: `diagnosis of markup: ${name}`,
    text,
    read: (html) => diagnosePage(evidenceOf('Short.', 'x', `<script></script>${html}`)),
    parts: 200_000,
  },
]);

const SHORT_TEXTS: Readonly<Record<string, (text: string) => unknown>> = {
  titleText,
  plainText,
  isoDate,
  comparableUrl: (text) => comparableUrl(`https://site.example/?${text}`),
  absoluteUrl: (text) => absoluteUrl(text, 'https://site.example/'),
  hasRelativeLinks,
  readQuery,
};

const ADVERSARIAL: Readonly<Record<string, (n: number) => string>> = {
  blanks: around('x', times(' \t'), 'x'),
  'open tags': times('<b '),
  brackets: times('[a](<'),
  ampersands: times('&amp'),
  'parts of a query': times('&utm_=a#?'),
  digits: around('2026-01-01T00:00', times(' '), 'x'),
};

const short = Object.entries(SHORT_TEXTS).flatMap(([reader, readText]) =>
  Object.entries(ADVERSARIAL).map(
    ([name, text]): GrowthCase => ({
      name: `${reader}: ${name}`,
      text,
      read: readText,
      parts: 300_000,
    }),
  ),
);

const MARKDOWN_PARTS: Readonly<Record<string, (n: number) => string>> = {
  'open brackets': times('[!['),
  'open links': times('[a](b('),
  'links within each other': times('[![a](b)](c'),
  definitions: times('[a]: <b\n'),
  'marks of emphasis': times('*a **b _c '),
  'open comments': times('<!-- a'),
  'open elements': times('<a href="x'),
  backticks: times('`a ``b '),
  'rows of marks': times('- * _ = |'),
  'lists and code': times('- a\n\n    b\n\n    ```\n'),
  'keys of front matter': around('---\n', times('a: [b, "c\n - d: e\n'), '\n---\nx'),
};

const markdown = Object.entries(MARKDOWN_PARTS).flatMap(([name, text]) =>
  (['markdown', 'text'] as const).map(
    (format): GrowthCase => ({
      name: `markdown as ${format}: ${name}`,
      text,
      read: (body) => read({ body, contentType: 'text/markdown', format }),
      parts: 100_000,
    }),
  ),
);

const FOCUSED_PARTS: Readonly<Record<string, (n: number) => string>> = {
  paragraphs: times((at) => `The mill ${at} turns.\n\n`),
  'a line': times('The mill turns. '),
  'a line without blanks': times('mill'),
  headings: times((at) => `${'#'.repeat((at % 6) + 1)} mill\n`),
  'nested headings with text': times((at) => `${'#'.repeat((at % 6) + 1)} mill\nmill\n`),
  'open code': times('```mill\n'),
  'underlined lines': times('mill\n==\n'),
  blanks: times(' \t\n'),
  'a script without spaces': times('\u6c34\u8eca'),
  'pairs of UTF-16': times('\u{20bb7} '),
  'characters that decompose': times('\ufdfa'),
};

const focused = Object.entries(FOCUSED_PARTS).flatMap(([name, text]) =>
  [1, 4_000].map(
    (maxCharacters): GrowthCase => ({
      name: `passages of ${maxCharacters} characters: ${name}`,
      text,
      read: (content) => findPassages(content, { query: 'mill \u6c34\u8eca', maxCharacters }),
      parts: 100_000,
    }),
  ),
);

const pieces = Object.entries(FOCUSED_PARTS).map(
  ([name, text]): GrowthCase => ({
    name: `pieces for a context: ${name}`,
    text,
    read: (content) =>
      scoredPieces([{ title: 'mill', text: content }], { query: 'mill', most: 1_200 }),
    parts: 100_000,
  }),
);

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

const OTHERS: readonly GrowthCase[] = [
  {
    name: 'markdown: properties without an end',
    text: times('---\n# '),
    read: (body) => read({ body, contentType: 'text/markdown' }),
    parts: 200_000,
  },
  {
    name: 'markdown: a heading of blanks',
    text: around('# x', times(' #'), ' x'),
    read: (body) => read({ body, contentType: 'text/markdown' }),
    parts: 300_000,
  },
  {
    name: 'a feed of empty entries',
    text: around('<rss><channel>', times('<item><title>x &lt;b '), '</channel></rss>'),
    read: (body) => read({ body, contentType: 'application/rss+xml' }),
    parts: 20_000,
  },
  {
    name: 'a feed of entries',
    text: around('<rss><channel>', times('<item><title>x</title></item>'), '</channel></rss>'),
    read: (body) => read({ body, contentType: 'application/rss+xml' }),
    parts: 10_000,
  },
  {
    name: 'a feed of references',
    text: around('<rss><channel><title>', times('&amp;&lt;'), '</title></channel></rss>'),
    read: (body) => read({ body, contentType: 'application/rss+xml' }),
    parts: 40_000,
  },
  {
    name: 'a feed of declared entities',
    text: around('<!DOCTYPE rss [', times('<!ENTITY a "b">'), ']><rss><channel/></rss>'),
    read: (body) => read({ body, contentType: 'application/rss+xml' }),
    parts: 20_000,
  },
  {
    name: 'a sitemap',
    text: around('<urlset>', times('<url><loc>http://a.example/</loc></url>'), '</urlset>'),
    read: (body) => read({ body, contentType: 'application/xml' }),
    parts: 20_000,
  },
  {
    name: 'outlines of OPML',
    text: around('<opml><body>', times('<outline text="a" xmlUrl="/b"/>'), '</body></opml>'),
    read: (body) => read({ body, contentType: 'text/x-opml' }),
    parts: 20_000,
  },
  {
    name: 'a declaration of the charset that never ends',
    text: times('<meta charset = '),
    read: (text) => decodeText(bytes(text), null),
    parts: 200_000,
  },
  {
    name: 'bytes of no charset',
    text: times('\xd0\xe0\x81'),
    read: (text) => guessCharset(bytes(text)),
    parts: 300_000,
  },
  {
    name: 'refreshes',
    text: times('<meta http-equiv=refresh content="0; url='),
    read,
    parts: 100_000,
  },
  {
    name: 'robots.txt: stars',
    text: (n) => `User-agent: *\nDisallow: /${'*a'.repeat(n)}$\n`,
    read: (text) =>
      isAllowedByRobots(parseRobots(text, 'trawl'), new URL('https://site.example/aaaaaaaaaaaab')),
    parts: 200_000,
  },
  {
    name: 'a PDF line of many runs',
    text: times('x'),
    read: (text) => writePdf([pdfPage(text, (at) => ({ x: at * 20, y: 0 }))], 'markdown'),
    parts: 200_000,
  },
  {
    name: 'a PDF with the same letter at one place',
    text: times('x'),
    read: (text) => writePdf([pdfPage(text, () => ({ x: 0, y: 0 }))], 'markdown'),
    parts: 100_000,
  },
  {
    name: 'a PDF of columns',
    text: times('x'),
    read: (text) =>
      writePdf(
        [pdfPage(text, (at) => ({ x: (at % 2) * 300, y: -12 * Math.floor(at / 2), width: 250 }))],
        'markdown',
      ),
    parts: 40_000,
  },
  {
    name: 'a PDF table with one wide row',
    text: times('x'),
    read: (text) => writePdf([pdfTable(text)], 'markdown'),
    parts: 20_000,
  },
];

/** A page of a PDF with a run of text for each character. */
const pdfPage = (text: string, placeOf: (at: number) => Partial<PdfItem>): PdfContent => ({
  items: Array.from(text, (str, at) => ({
    ...{ str: str.repeat(20), x: 0, y: 0, width: 1, height: 10, fontSize: 10, hasEOL: false },
    ...placeOf(at),
  })),
  fields: [],
  structure: undefined,
});

/** A table of a row with a cell for each character, and as many rows with one. */
function pdfTable(text: string): PdfContent {
  const { items, fields } = pdfPage(text, (at) => ({ mark: `a${at}`, y: -12 * at }));
  const cells = Array.from(text, (_, at) => ({ type: 'content', id: `a${at}` }));
  const rows = cells.map(() => ({ role: 'TR', children: [{ role: 'TD', children: [] }] }));
  const table = { role: 'Table', children: [{ role: 'TR', children: cells }, ...rows] };
  return { items, fields, structure: { role: 'Root', children: [table] } };
}

/** More blocks in one place than a call can have arguments (about 125,000). */
const MANY_BLOCKS: GrowthCase = {
  name: 'a page: other blocks among definitions',
  text: around(`${ARTICLE}<dl><section>`, times('<p>x</p>'), '</section></dl>'),
  read: (markup) => read(markup),
  parts: 130_000,
};

/** Each part becomes as many elements as marks are opened again. */
const EMPHASIS: GrowthCase = {
  name: 'a page: emphasis that goes on',
  text: times((at) => `<p><b id=${at}>x</p>`),
  read: (markup) => read(markup),
  parts: 5_000,
};

const pages = Object.entries(PAGES).map(
  ([name, text]): GrowthCase => ({
    name: `a page: ${name}`,
    text,
    read: (markup) => read(`<html><body>${markup}`),
    parts: 20_000,
  }),
);

export const GROWTH_CASES: readonly GrowthCase[] = [
  ...diagnosed,
  ...short,
  ...markdown,
  ...focused,
  ...pieces,
  ...OTHERS,
  ...pages,
  MANY_BLOCKS,
  EMPHASIS,
];
