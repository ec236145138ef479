import { Parser } from 'htmlparser2';
import { beyondLimit, counted, PAGE_LIMITS } from '../input/page-limits.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { type MarkupHandler, readMarkup } from './read-markup.ts';
import { isMarked, selectorOf } from './selector.ts';
import { appendText, createElement } from './tree.ts';

const FRAME = new Set(['html', 'body']);
/** Deeper nesting does not matter for a text, and later steps may recurse. */
const MAX_DEPTH = 120;

/** Parses markup into a document that always has a body, even if the page omits it. */
export function parseHtml(html: string): PageDocument {
  const byName = new Map<string, PageElement[]>();
  const marked: PageElement[] = [];
  const builder = createBuilder((element) => {
    const others = byName.get(element.localName);
    if (others) others.push(element);
    else byName.set(element.localName, [element]);
    if (isMarked(element)) marked.push(element);
  });
  const { root } = builder;
  readMarkup(withBody(withoutSections(html)), withOneFrame(builder));
  return {
    html: byName.get('html')?.[0] ?? null,
    body: byName.get('body')?.[0] ?? root,
    findAll: (selector) => {
      const { matches, findsMarked, names } = selectorOf(selector);
      if (findsMarked) return marked.filter(matches);
      if (!names) return root.querySelectorAll(selector);
      const [only, ...others] = [...names].filter((name) => byName.has(name));
      if (only === undefined) return [];
      if (others.length > 0) return root.querySelectorAll(selector);
      return (byName.get(only) ?? []).filter(matches);
    },
  };
}

/**
 * Parses XML into a tree. Comments are dropped.
 * @throws the error of a page above a limit: too many elements, or nested too deep for the parser
 */
export function parseXml(source: string): PageElement {
  const { root, open, close, text } = createBuilder();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(name, new Map(Object.entries(attributes))),
      onclosetag: close,
      ontext: text,
    },
    { xmlMode: true },
  );
  parser.end(source);
  return root;
}

/** A page has one of each; content after their end tags belongs in them, as in browsers. */
function withOneFrame({ open, close, text }: MarkupHandler): MarkupHandler {
  const framed = new Set<string>();
  return {
    open: (name, attributes) => {
      if (framed.has(name)) return;
      if (FRAME.has(name)) framed.add(name);
      open(name, attributes);
    },
    close: (name) => {
      if (!FRAME.has(name)) close(name);
    },
    text,
  };
}

interface Builder extends MarkupHandler {
  readonly root: PageElement;
}

/** Makes a tree. An element that is nested too deep becomes a child of the deepest allowed one. */
function createBuilder(onElement?: (element: PageElement) => void): Builder {
  const root = createElement('#document');
  const around: PageElement[] = [root];
  let tooDeep = 0;
  let elements = 0;
  return {
    root,
    open: (name, attributes) => {
      elements += 1;
      if (elements > PAGE_LIMITS.elements) {
        throw beyondLimit(`more than ${counted(PAGE_LIMITS.elements)} elements`);
      }
      if (around.length + tooDeep > PAGE_LIMITS.depth) {
        throw beyondLimit(`elements nested deeper than ${counted(PAGE_LIMITS.depth)}`);
      }
      const element = createElement(name, attributes);
      around.at(-1)?.append(element);
      onElement?.(element);
      if (around.length < MAX_DEPTH) around.push(element);
      else tooDeep += 1;
    },
    close: () => {
      if (tooDeep > 0) tooDeep -= 1;
      else around.pop();
    },
    text: (text) => appendText(around.at(-1) ?? root, text),
  };
}

/** `<![CDATA[` has no meaning in HTML, but the parser would skip everything after it. */
function withoutSections(html: string): string {
  // the whole mark starts with characters that are everywhere, which makes it slow to find
  const mayHave = html.includes('CDATA[') && html.includes('<![CDATA[');
  return mayHave ? html.replace(/<!\[CDATA\[|\]\]>/g, '') : html;
}

/** Adds a body, because the parser does not add omitted elements. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const headEnd = /<\/head\s*>/i.exec(html);
  if (!headEnd) return `<body>${html}</body>`;
  const split = headEnd.index + headEnd[0].length;
  return `${html.slice(0, split)}<body>${html.slice(split)}`;
}
