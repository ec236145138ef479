import {
  isElement,
  isText,
  lineOf,
  type PageElement,
  type PageNode,
  visibleOf,
} from '../dom/dom.ts';
import { imageAddress } from '../dom/images.ts';
import { longestRun } from './code.ts';
import type { Writing } from './writing.ts';

/**
 * Writes inline content: text, emphasis, links, images, code. The result may have line breaks, but
 * no blank lines.
 */
export function inlineOf(nodes: Iterable<PageNode>, writing: Writing): string {
  let line = '';
  for (const node of nodes) line += inlineNode(node, writing);
  return line;
}

function inlineNode(node: PageNode, writing: Writing): string {
  if (isText(node)) return writing.escape(visibleOf(node.textContent));
  if (!isElement(node)) return '';
  if (writing.isOutside(node)) return '';
  const write = ELEMENTS[node.localName];
  return write ? write(node, writing) : inlineOf(node.childNodes, writing);
}

const spellings = (plain: string, other: string): ReadonlyMap<string, string> =>
  new Map([...plain].map((character, at) => [character, [...other][at] ?? character]));

/** `10<sup>6</sup>` is not 106. */
const RAISED = spellings('0123456789+-−n', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ');
const LOWERED = spellings('0123456789+-−', '₀₁₂₃₄₅₆₇₈₉₊₋₋');

type Write = (element: PageElement, writing: Writing) => string;

const ELEMENTS: Readonly<Record<string, Write>> = {
  br: (_, { isMarkdown }) => (isMarkdown ? '  \n' : '\n'),
  b: marked('**'),
  strong: marked('**'),
  i: marked('*'),
  em: marked('*'),
  del: marked('~~'),
  s: marked('~~'),
  strike: marked('~~'),
  a: link,
  img: image,
  code: inlineCode,
  tt: inlineCode,
  samp: inlineCode,
  kbd: inlineCode,
  q: (element, writing) => `"${inlineOf(element.childNodes, writing)}"`,
  sup: respelled(RAISED),
  sub: respelled(LOWERED),
  rt: (element, writing) => `(${inlineOf(element.childNodes, writing)})`,
  math: formula,
  wbr: () => '',
  input: (element, { isMarkdown }) =>
    isMarkdown ? (element.hasAttribute('checked') ? '[x] ' : '[ ] ') : '',
};

function marked(mark: string): Write {
  return (element, writing) => {
    const inner = inlineOf(element.childNodes, writing);
    const { before, core, after } = trimmed(inner);
    // emphasis may not span lines, and doubled marks cancel each other out
    if (!writing.isMarkdown || core === '' || core.includes('\n') || core.startsWith(mark))
      return inner;
    return `${before}${mark}${core}${mark}${after}`;
  };
}

function link(element: PageElement, writing: Writing): string {
  const inner = inlineOf(element.childNodes, writing);
  const { before, core, after } = trimmed(inner);
  if (!writing.isMarkdown || core === '') return inner;
  const href = element.getAttribute('href') ?? '';
  // links to a footnote or to the heading itself
  if (href.startsWith('#') && core.length <= 5) return inner;
  const address = writing.address(href);
  if (!address || core.includes('](')) return withImageLink(inner, core, address);
  return `${before}[${onOneLine(core)}](${address})${after}`;
}

function onOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ');
}

/** For a linked image, the address of the image matters more than the target of the link. */
function withImageLink(inner: string, core: string, address: string | null): string {
  return address && /^!\[[^\]\n]*\]\([^)\n]*\)$/.test(core) ? `[${core}](${address})` : inner;
}

function image(element: PageElement, writing: Writing): string {
  if (!writing.isMarkdown) return '';
  const address = imageAddress(element, writing.baseUrl);
  if (!address) return '';
  const alt = lineOf(element.getAttribute('alt') ?? '').replace(/[[\]]/g, '');
  return `![${alt}](${writing.address(address) ?? address})`;
}

function inlineCode(element: PageElement, writing: Writing): string {
  const code = visibleOf(element.textContent);
  const { before, core, after } = trimmed(code);
  if (!writing.isMarkdown || core === '') return code;
  const fence = '`'.repeat(longestRun(core, 0) + 1);
  const pad = core.startsWith('`') || core.endsWith('`') ? ' ' : '';
  return `${before}${fence}${pad}${core}${pad}${fence}${after}`;
}

function respelled(others: ReadonlyMap<string, string>): Write {
  return (element, writing) => {
    const inner = inlineOf(element.childNodes, writing);
    const spelled = [...inner.trim()].map((character) => others.get(character));
    return spelled.length > 0 && spelled.every((character) => character !== undefined)
      ? spelled.join('')
      : inner;
  };
}

function formula(element: PageElement, writing: Writing): string {
  const source = element.querySelector('annotation')?.textContent.trim();
  if (source) return writing.isMarkdown ? `$${source}$` : source;
  return writing.escape(lineOf(element.textContent));
}

function trimmed(text: string): { before: string; core: string; after: string } {
  const core = text.trim();
  if (core === '') return { before: text, core, after: '' };
  return {
    before: /^\s/.test(text) ? ' ' : '',
    core,
    after: /\s$/.test(text) ? ' ' : '',
  };
}
