import {
  INVISIBLE,
  isElement,
  isText,
  namesOf,
  type PageElement,
  type PageNode,
  visibleOf,
} from '../dom/dom.ts';

/** Elements with line numbers. */
const NUMBERS =
  / (?:gutter|lineno|linenos|line ?numbers?(?: rows)?|ln|code line ?number|crayon nums) /;
/** Elements with a button that copies the code, or similar. */
const TOOLS = / (?:copy|clipboard|btn|toolbar) /;
const DIGITS = /^[\d\s.:|]*$/;
const LINE_ELEMENTS = new Set(['div', 'p', 'li', 'tr']);

/** The code of a `pre`, line by line. */
export function codeText(element: PageElement): string {
  const parts: string[] = [];
  collect(element, parts);
  const written = parts
    .join('')
    .replace(INVISIBLE, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u00a0', ' ');
  return written.replace(/^[ \t]*\n+/, '').trimEnd();
}

/**
 * Collects the text below a node as non-empty parts: reading the end of one long string would copy
 * it each time.
 */
function collect(node: PageNode, parts: string[]): void {
  for (const child of node.childNodes) {
    if (!isElement(child)) {
      if (isText(child) && child.textContent !== '') parts.push(child.textContent);
    } else if (child.localName === 'br') parts.push('\n');
    else if (!isGutter(child)) {
      const isLine = LINE_ELEMENTS.has(child.localName);
      if (isLine && parts.length > 0) endLine(parts);
      collect(child, parts);
      if (isLine) endLine(parts);
    }
  }
}

function endLine(parts: string[]): void {
  if (!parts.at(-1)?.endsWith('\n')) parts.push('\n');
}

function isGutter(element: PageElement): boolean {
  if (element.localName === 'button' || element.localName === 'style') return true;
  const names = namesOf(element);
  if (NUMBERS.test(names) && !/ ln code /.test(names) && DIGITS.test(element.textContent))
    return true;
  return TOOLS.test(names) && element.textContent.trim().length < 12;
}

/** The code of an inline element, line by line. */
export function codeLines(element: PageElement, keepsLines: boolean): readonly string[] {
  const parts: string[] = [];
  collectInline(element, keepsLines, parts);
  const lines = parts.join('').split('\n');
  return keepsLines ? lines.map((line) => line.replace(INVISIBLE, '')) : lines.map(visibleOf);
}

function collectInline(node: PageNode, keepsLines: boolean, parts: string[]): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (isText(child))
      parts.push(keepsLines ? child.textContent : child.textContent.replaceAll('\n', ' '));
    else if (isElement(child) && child.localName === 'br') parts.push('\n');
    else collectInline(child, keepsLines, parts);
  }
}

/** A code span. A blank keeps its marks apart from the backticks of the code. */
export function codeSpan(code: string): string {
  const fence = '`'.repeat(longestRun(code, 0) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/**
 * Class names that precede the language: `language-x`, `lang-x`, `highlight-source-x`, `brush: x`,
 * `sourceCode x`.
 */
const LANGUAGE_CLASS =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|code|brush)[-:]\s{0,9}([\w+#-]{1,40})/i;
const BEFORE_LANGUAGE = new Set(
  'hljs sourcecode prettyprint prism shiki codehilite chroma'.split(' '),
);
const LANGUAGE_NAME = /^(?:language-)?([a-z][\w+#-]{0,40})/i;
/** Longer class values don't name a language. */
const CLASS_LENGTH = 500;
const NO_LANGUAGE = new Set(
  'none default plaintext text plain txt nohighlight notranslate block wrapper container hljs code source copy toolbar line lines linenums theme box example python3-repl'.split(
    ' ',
  ),
);

/** The language that a code block or its direct wrapper names, in lower case. */
export function codeLanguage(pre: PageElement): string {
  const inner = pre.querySelector('code');
  const parent = pre.parentNode;
  const around = [inner, pre, parent, parent?.parentNode].filter((element) => element != null);
  for (const element of around) {
    const named =
      element.getAttribute('data-lang') ??
      element.getAttribute('data-language') ??
      element.getAttribute('data-enlighter-language') ??
      languageInClass(element);
    const language = named?.trim().toLowerCase() ?? '';
    if (/^[\w+#.-]{1,20}$/.test(language) && !NO_LANGUAGE.has(language)) return language;
  }
  return '';
}

function languageInClass(element: PageElement): string | undefined {
  const names = (element.getAttribute('class') ?? '').slice(0, CLASS_LENGTH);
  const words = names.split(/\s+/);
  const after =
    words.find((_, at) => BEFORE_LANGUAGE.has((words[at - 1] ?? '').toLowerCase())) ?? '';
  const found = (LANGUAGE_CLASS.exec(names) ?? LANGUAGE_NAME.exec(after))?.[1];
  // some generators write `language-js.highlighted`
  return found && !NO_LANGUAGE.has(found.toLowerCase()) ? found : undefined;
}

/** A fenced code block. Its fence is longer than any run of backticks in the code. */
export function fenced(code: string, language: string): string {
  const longest = longestRun(code, 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The code of a table that only puts line numbers next to code; undefined for any other table. */
export function codeInTable(table: PageElement): { code: string; language: string } | undefined {
  const blocks = [...table.querySelectorAll('pre')].filter(
    (pre) => !/^[\d\s]*$/.test(pre.textContent),
  );
  const only = blocks[0];
  if (only && blocks.length === 1) {
    return hasOnlyNumbers(table, only)
      ? { code: codeText(only), language: codeLanguage(only) || codeLanguage(table) }
      : undefined;
  }
  const lines = [...table.querySelectorAll('td')].filter((cell) =>
    / blob code /.test(namesOf(cell)),
  );
  if (lines.length === 0) return codeBesideNumbers(table);
  return {
    code: lines.map((line) => line.textContent.replace(/\n$/, '')).join('\n'),
    language: '',
  };
}

/** Some highlighters put the lines into a cell, without a `pre`. */
function codeBesideNumbers(table: PageElement): { code: string; language: string } | undefined {
  const [numbers, code, ...others] = table.querySelectorAll('td');
  if (!numbers || !code || others.length > 0) return undefined;
  const isListing = NUMBERS.test(namesOf(numbers)) && / code /.test(namesOf(code));
  if (!isListing || !DIGITS.test(numbers.textContent)) return undefined;
  return { code: codeText(code), language: '' };
}

/** Whether only digits are around a block. */
function hasOnlyNumbers(node: PageNode, block: PageElement): boolean {
  if (node === block) return true;
  if (isText(node)) return /^[\d\s]*$/.test(node.textContent);
  return node.childNodes.every((child) => hasOnlyNumbers(child, block));
}

/** The length of the longest run of backticks, at least `least`. */
export function longestRun(text: string, least: number): number {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
