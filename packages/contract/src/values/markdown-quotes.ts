/** A quotation of a markdown document. */
export interface DocumentQuote {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Of the link that follows in its sentence or block; null = absent. */
  readonly url: string | null;
}

/** Fewer words in quotation marks are a name or a term. */
const WORDS_MIN = 4;

/** How far behind a quotation its link is looked for, in UTF-16 units. */
const LINK_WITHIN = 400;

/** Pairs of quotation marks; those that may be apostrophes are left out. */
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“”', '«': '»' };

/** The signs of a fence. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE_LINE = /^ {0,3}>/;
const DEFINITION = /^ {0,3}\[([^\]]{1,100})\]:(.*)$/;
const ADDRESS = /https?:\/\/[^\s<>"')\]]+/;

/**
 * The quotations of a markdown document in their order: texts in quotation marks of at least four
 * words, and block quotes. Code is left out.
 * @param sources URLs of what it cites as `[1]`, by that name, where it does not define them itself
 */
export function markdownQuotes(
  document: string,
  sources: ReadonlyMap<string, string> = new Map(),
): readonly DocumentQuote[] {
  const { blocks, definitions } = readBlocks(document, sources);
  return blocks.flatMap((block, at) => {
    if (!block.isQuote) return inlineQuotes(block, definitions);
    // its source is in it, or begins the next paragraph
    const { said, source } = splitSource(block.text);
    const next = blocks[at + 1];
    const after = next && !next.isQuote ? next.text.slice(0, LINK_WITHIN) : '';
    const url = firstLink(source, definitions) ?? firstLink(sentenceOf(after), definitions);
    return wordCount(said) === 0 ? [] : [{ line: block.line, text: said, url }];
  });
}

interface Block {
  readonly line: number;
  readonly isQuote: boolean;
  text: string;
}

function readBlocks(document: string, sources: ReadonlyMap<string, string>) {
  const blocks: Block[] = [];
  const definitions = new Map(sources);
  let open: Block | undefined;
  let fence = '';
  for (const [index, line] of document.split(/\r?\n/).entries()) {
    const after = fenceAfter(fence, line);
    const isCode = fence !== '' || after !== '';
    fence = after;
    const [, name, rest] = DEFINITION.exec(line) ?? [];
    if (name !== undefined && !isCode) {
      const url = ADDRESS.exec(rest ?? '')?.[0];
      if (url !== undefined) definitions.set(name, bareAddress(url));
    }
    if (isCode || name !== undefined || line.trim() === '') {
      open = undefined;
      continue;
    }
    const isQuote = QUOTE_LINE.test(line);
    const text = isQuote ? line.slice(line.indexOf('>') + 1).trim() : line;
    if (open?.isQuote === isQuote) open.text += `\n${text}`;
    else {
      open = { line: index + 1, isQuote, text };
      blocks.push(open);
    }
  }
  return { blocks, definitions };
}

/** The fence in which the next line is, if this line is in `fence`; '' = none. */
function fenceAfter(fence: string, line: string): string {
  const [whole = '', signs = ''] = FENCE.exec(line) ?? [];
  const behind = line.slice(whole.length);
  if (fence === '') return signs.startsWith('`') && behind.includes('`') ? '' : signs;
  return signs.startsWith(fence) && behind.trim() === '' ? '' : fence;
}

type Definitions = ReadonlyMap<string, string>;

function inlineQuotes({ line, text }: Block, definitions: Definitions): DocumentQuote[] {
  const quotes: DocumentQuote[] = [];
  let ofLine = line;
  // marks that nothing closes from here on
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n') ofLine += 1;
    const closing = CLOSING[sign];
    if (closing === undefined || unclosed.has(sign)) continue;
    const end = closingAt(text, at + 1, closing);
    if (end < 0) {
      unclosed.add(sign);
      continue;
    }
    const said = text.slice(at + 1, end);
    if (wordCount(said) >= WORDS_MIN) {
      const after = sentenceOf(text.slice(end + 1, end + 1 + LINK_WITHIN));
      quotes.push({ line: ofLine, text: said.trim(), url: firstLink(after, definitions) });
    }
    ofLine += said.split('\n').length - 1;
    at = end;
  }
  return quotes;
}

function closingAt(text: string, from: number, closing: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (closing.includes(text.charAt(at))) return at;
  }
  return -1;
}

const wordCount = (text: string): number => (text.match(/[\p{L}\p{N}]+/gu) ?? []).length;

/** A last line such as `— Ada, https://…` names the source. */
function splitSource(text: string): { readonly said: string; readonly source: string } {
  const lines = text.split('\n');
  const at = lines.findIndex((line, index) => index > 0 && /^(?:—|–|--)/.test(line));
  if (at < 0) return { said: unquoted(text), source: text };
  return { said: unquoted(lines.slice(0, at).join('\n')), source: lines.slice(at).join('\n') };
}

function unquoted(text: string): string {
  const bare = text.trim();
  const closing = CLOSING[bare.charAt(0)];
  if (closing === undefined || !closing.includes(bare.charAt(bare.length - 1))) return bare;
  return bare.slice(1, -1).trim();
}

/** Up to the end of the sentence, and the notes directly behind it. */
function sentenceOf(text: string): string {
  const end = /[.!?]\s+[^\s[(]/.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}

function firstLink(text: string, definitions: Definitions): string | null {
  for (const [match, name] of text.matchAll(/https?:\/\/[^\s<>"')\]]+|\[([^[\]]{1,100})\]/g)) {
    if (name === undefined) return bareAddress(match);
    const url = definitions.get(name);
    if (url !== undefined) return url;
  }
  return null;
}

const bareAddress = (url: string): string => url.replace(/[.,;:]$/, '');
