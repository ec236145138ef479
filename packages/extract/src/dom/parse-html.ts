import { Parser } from 'htmlparser2';
import { beyondLimit, counted, PAGE_LIMITS } from '../input/page-limits.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { isMarked, selectorOf } from './selector.ts';
import { appendText, createElement } from './tree.ts';

const FRAME = new Set(['html', 'body']);
/** Deeper nesting does not matter for a text, and later steps may recurse. */
const MAX_DEPTH = 120;

/** Parses markup into a document that always has a body, even if the page omits it. */
export function parseHtml(html: string): PageDocument {
  const byName = new Map<string, PageElement[]>();
  const marked: PageElement[] = [];
  const root = parseTree(withBody(withoutSections(html)), {
    isXml: false,
    onElement: (element) => {
      const others = byName.get(element.localName);
      if (others) others.push(element);
      else byName.set(element.localName, [element]);
      if (isMarked(element)) marked.push(element);
    },
  });
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

interface ParseOptions {
  readonly isXml: boolean;
  readonly onElement?: (element: PageElement) => void;
}

/**
 * Parses markup into a tree. Comments are dropped; an element that is nested too deep becomes a
 * child of the deepest allowed one.
 * @throws the error of a page above a limit: too many elements, or nested too deep for the parser
 */
export function parseTree(source: string, { isXml, onElement }: ParseOptions): PageElement {
  const root = createElement('#document');
  const open: PageElement[] = [root];
  let tooDeep = 0;
  let elements = 0;
  const framed = new Set<string>();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (!isXml && FRAME.has(name)) {
          if (framed.has(name)) return;
          framed.add(name);
        }
        elements += 1;
        if (elements > PAGE_LIMITS.elements) {
          throw beyondLimit(`more than ${counted(PAGE_LIMITS.elements)} elements`);
        }
        if (open.length + tooDeep > PAGE_LIMITS.depth) {
          throw beyondLimit(`elements nested deeper than ${counted(PAGE_LIMITS.depth)}`);
        }
        const element = createElement(name, attributes);
        open.at(-1)?.append(element);
        onElement?.(element);
        if (open.length < MAX_DEPTH) open.push(element);
        else tooDeep += 1;
      },
      onclosetag: (name) => {
        // a page has one of each; content after their end tags belongs in them, as in browsers
        if (!isXml && FRAME.has(name)) return;
        if (tooDeep > 0) tooDeep -= 1;
        else open.pop();
      },
      ontext: (text) => appendText(open.at(-1) ?? root, text),
    },
    { xmlMode: isXml },
  );
  parser.end(source);
  return root;
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
