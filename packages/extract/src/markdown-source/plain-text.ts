import { DEFINITION } from '@trawl/providers/markdown-links';
import { decodeHTML } from 'entities';
import { linesOf } from './prose.ts';
import { tokensOf } from './tokens.ts';

/** A markdown document as plain text, in the form in which pages in HTML are written as text. */
export function plainMarkdown(markdown: string): string {
  const runs = linesOf(markdown);
  const labels = new Set<string>();
  for (const { text, isCode } of runs) {
    if (isCode) continue;
    for (const line of text.split('\n')) {
      const label = DEFINITION.exec(line)?.groups?.label;
      if (label !== undefined) labels.add(plainLabel(label));
    }
  }
  return runs
    .map(({ text, isCode, isMark }) => {
      if (isMark) return '';
      if (isCode) return text;
      return inlineText(blockText(withoutComments(text)), labels).replace(/\n{3,}/g, '\n\n');
    })
    .join('')
    .trim();
}

const plainLabel = (label = ''): string => label.toLowerCase().replace(/\s+/g, ' ').trim();

/** Rules, underlines of headings, and the lines below the heads of tables. */
const RULE = /^[ \t]*(?:[-*_=:|+][ \t]*){2,}$/;

/** Prose without the marks of headings, quotes, tables and rules. */
const blockText = (prose: string): string =>
  prose
    .split('\n')
    .filter((line) => !(RULE.test(line) || DEFINITION.test(line)))
    .map((line) =>
      rowText(line.replace(/^(?: {0,3}> ?)+/, '').replace(/^ {0,3}#{1,6}(?:[ \t]+|$)/, '')),
    )
    .join('\n');

/** A row of a table without the marks around it. */
function rowText(line: string): string {
  const row = line.trim();
  if (!row.startsWith('|')) return line;
  return row.slice(1, row.length > 1 && row.endsWith('|') ? -1 : undefined).trim();
}

/** Prose without comments. One that does not end is text. */
function withoutComments(prose: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = prose.indexOf('<!--'); at >= 0; at = prose.indexOf('<!--', from)) {
    const end = prose.indexOf('-->', at + 4);
    if (end < 0) break;
    parts.push(prose.slice(from, at));
    from = end + 3;
  }
  return parts.join('') + prose.slice(from);
}

/** A piece of the text; marks of emphasis are dropped once their other mark is found. */
interface Piece {
  text: string;
}

interface Bracket {
  readonly piece: Piece;
  readonly isImage: boolean;
  /** How many pieces there are with it. */
  readonly at: number;
}

function inlineText(prose: string, labels: ReadonlySet<string>): string {
  const pieces: Piece[] = [];
  const brackets: Bracket[] = [];
  const emphasis = new Map<string, Piece[]>();
  let from = 0;
  const add = (text: string): Piece => {
    const piece = { text };
    pieces.push(piece);
    return piece;
  };
  for (const { kind, at, text: token } of tokensOf(prose)) {
    add(decodeHTML(prose.slice(from, at)));
    from = at + token.length;
    if (kind === 'open') {
      brackets.push({ piece: add(token), isImage: token !== '[', at: pieces.length });
    } else if (kind === 'close') {
      const open = brackets.pop();
      if (open && isLinkEnd(token, labels)) endLink(open, pieces);
      else add(token);
    } else if (kind === 'mark') {
      const around = { before: prose.charAt(at - 1), after: prose.charAt(from) };
      pairMark(add(token), around, emphasis);
    } else add(plainToken(kind, token));
  }
  add(decodeHTML(prose.slice(from)));
  return pieces.map(({ text }) => text).join('');
}

/** What is shown of a token that has no other half. */
function plainToken(kind: 'escape' | 'code' | 'address' | 'element', token: string): string {
  if (kind === 'escape') return /^\\[!-/:-@[-`{-~]/.test(token) ? token.slice(1) : token;
  if (kind === 'element') return /^<br\b/i.test(token) ? '\n' : '';
  return token.slice(1, -1);
}

/** Whether a bracket closes a link or an image; other brackets are text. */
function isLinkEnd(close: string, labels: ReadonlySet<string>): boolean {
  if (close.startsWith('](')) return true;
  const label = plainLabel(close.slice(2, -1));
  return close !== ']' && (label === '' ? labels.size > 0 : labels.has(label));
}

/** The text of a link stays, an image is dropped. */
function endLink({ piece, isImage, at }: Bracket, pieces: Piece[]): void {
  piece.text = '';
  // each piece is dropped once
  if (isImage) pieces.length = at;
}

/** Drops a mark and the one that it closes. */
function pairMark(
  piece: Piece,
  { before, after }: { readonly before: string; readonly after: string },
  open: Map<string, Piece[]>,
): void {
  const waiting = open.get(piece.text) ?? [];
  open.set(piece.text, waiting);
  const isWord = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);
  // an underscore within a word is a part of it
  if (piece.text.startsWith('_') && isWord(before) && isWord(after)) return;
  const opening = /^\S/.test(after) ? waiting : undefined;
  const closing = /^\S/.test(before) ? waiting.pop() : undefined;
  if (closing) {
    closing.text = '';
    piece.text = '';
  } else opening?.push(piece);
}
