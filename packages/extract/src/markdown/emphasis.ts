import { codeSpan } from './code.ts';
import { escapeText, hasFormulaSigns } from './escape.ts';
import { DELETED, EMPHASIS, type Piece, STRONG } from './pieces.ts';

/** What is around a text, the outermost first where two are around the same. */
type Wrap = 'link' | 'deleted' | 'strong' | 'emphasis';
const WRAPS: readonly Wrap[] = ['link', 'deleted', 'strong', 'emphasis'];
const MARKS: Readonly<Record<Wrap, number>> = {
  link: 0,
  deleted: DELETED,
  strong: STRONG,
  emphasis: EMPHASIS,
};
/** The second one is for a mark right behind the end of another. */
const SIGNS: Readonly<Record<Wrap, readonly [string, string]>> = {
  link: ['[', '['],
  deleted: ['~~', '~~'],
  strong: ['**', '__'],
  emphasis: ['*', '_'],
};

interface Output {
  readonly parts: readonly Piece[];
  /** By wrap and part: the first part behind it that is not in the same one. */
  readonly ends: Readonly<Record<Wrap, readonly number[]>>;
  /** By wrap: the part up to which it is not opened again. */
  readonly barred: Record<Wrap, number>;
  readonly isNearFormula: boolean;
  /** What is written and not looked at any more. */
  done: string;
  /** What is written behind that. */
  text: string;
  /** Text that is not escaped yet. */
  plain: string;
  isInLink: boolean;
  /**
   * The length of `text` behind the last opening sign, and the character in front of that row of
   * signs.
   */
  opened: number;
  beforeOpened: string;
  /** The length of `text` behind the last closing sign. */
  closed: number;
  closedSign: string;
  /** Code that is not written yet: two spans in a row would be read as one with backticks. */
  code: string;
}

/**
 * Writes the pieces of a paragraph as CommonMark. Marks that touch each other are joined. Where a
 * parser would not take signs for marks, which depends on the characters around them, blanks and
 * punctuation are left outside of the mark.
 */
export function markdownOf(pieces: readonly Piece[]): string {
  const isNearFormula = hasFormulas(pieces);
  const [only] = pieces;
  if (pieces.length === 1 && only?.kind === 'text' && only.marks === 0 && only.link === null)
    return escapeText(only.text.trim(), { isInLink: false, isLast: true, isNearFormula });
  const isPlain = pieces.every(({ marks, link }) => marks === 0 && link === null);
  const parts = isPlain ? pieces : pieces.flatMap(edgesOf);
  const output: Output = {
    parts,
    ends: isPlain ? NO_ENDS : endsOf(parts),
    barred: { link: 0, deleted: 0, strong: 0, emphasis: 0 },
    isNearFormula,
    done: '',
    text: '',
    plain: '',
    isInLink: false,
    opened: -1,
    beforeOpened: '',
    closed: -1,
    closedSign: '',
    code: '',
  };
  write(output, { from: 0, to: parts.length, within: [], after: '' });
  flush(output, true);
  return (output.done + output.text).trim();
}

const NO_ENDS: Output['ends'] = { link: [], deleted: [], strong: [], emphasis: [] };

function hasFormulas(pieces: readonly Piece[]): boolean {
  if (!pieces.some(({ text }) => text.includes('$'))) return false;
  const whole = pieces.map(({ text }) => text).join('');
  const hasFormula = pieces.some(({ kind, text }) => kind === 'ready' && text.startsWith('$'));
  return hasFormula || hasFormulaSigns(whole);
}

/**
 * Blanks and punctuation at the edges of marked text become parts, which can be left out of the
 * mark.
 */
function edgesOf(piece: Piece): readonly Piece[] {
  const { kind, text, marks, link } = piece;
  if (kind !== 'text' || (marks === 0 && link === null)) return [piece];
  if (marks === 0) return blanksOf(piece);
  const start = firstLetter(text);
  const end = lastLetter(text, start);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)].flatMap((part) =>
    blanksOf({ ...piece, text: part }),
  );
}

function firstLetter(text: string): number {
  let start = 0;
  for (const character of text) {
    if (!isEdge(character)) break;
    start += character.length;
  }
  return start;
}

function lastLetter(text: string, from: number): number {
  let end = text.length;
  while (end > from) {
    const last = lastOf(text.slice(Math.max(0, end - 2), end));
    if (!isEdge(last)) break;
    end -= last.length;
  }
  return end;
}

function blanksOf(piece: Piece): readonly Piece[] {
  const { text } = piece;
  if (!text.startsWith(' ') && !text.endsWith(' ')) return text === '' ? [] : [piece];
  const core = text.trim();
  const parts =
    core === '' ? [text] : [text.startsWith(' ') && ' ', core, text.endsWith(' ') && ' '];
  return parts.flatMap((part) => (part ? [{ ...piece, text: part }] : []));
}

function endsOf(parts: readonly Piece[]): Output['ends'] {
  const all = parts.reduce((marks, part) => marks | part.marks, 0);
  const used = WRAPS.filter((wrap) => wrap === 'link' || all & MARKS[wrap]);
  const ends: Record<Wrap, number[]> = { link: [], deleted: [], strong: [], emphasis: [] };
  for (const wrap of used) ends[wrap] = new Array<number>(parts.length);
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const [part, next] = [parts[at], parts[at + 1]];
    for (const wrap of used) {
      const goesOn = isIn(wrap, next) && (wrap !== 'link' || next?.link === part?.link);
      ends[wrap][at] = goesOn ? (ends[wrap][at + 1] ?? at + 1) : at + 1;
    }
  }
  return ends;
}

const isIn = (wrap: Wrap, part: Piece | undefined): boolean =>
  part !== undefined && (wrap === 'link' ? part.link !== null : (part.marks & MARKS[wrap]) !== 0);

/** Parts that are written together. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly within: readonly Wrap[];
  /** The character that follows them. */
  readonly after: string;
}

function write(output: Output, range: Range): void {
  for (let at = range.from; at < range.to; ) {
    const part = output.parts[at];
    if (!part) return;
    const isBare = (part.marks === 0 && part.link === null) || isBlank(part);
    const end = isBare ? undefined : writeWrapped(output, at, range);
    if (end === undefined) {
      if (part.kind === 'text') writePlain(output, part.text);
      else if (part.kind === 'code') writeCode(output, part.text);
      else writeReady(output, part);
    }
    at = end ?? at + 1;
  }
}

/** A text with the characters at its edges; an address there may get signs around it. */
function shown({ kind, text }: Piece): string {
  if (kind === 'code') return '`';
  const last = text.lastIndexOf('://');
  const start = /^https?:/i.test(text) ? '<' : '';
  return last < 0 ? text : `${start}${text}${/[\s<>]/.test(text.slice(last)) ? '' : '>'}`;
}

const isBlank = ({ kind, text }: Piece): boolean => kind === 'break' || text === ' ';

function writeReady(output: Output, { kind, text }: Piece): void {
  flush(output);
  if (kind !== 'break') output.text += text;
  else if (output.isInLink) output.text += ' ';
  else output.text = `${output.text.replace(/ $/, '')}  \n`;
}

function writePlain(output: Output, text: string): void {
  if (output.code !== '') flush(output);
  output.plain += text;
}

function writeCode(output: Output, text: string): void {
  if (output.code === '') flush(output);
  output.code += text;
}

/** To look at the end of a text that was added to copies all of it, so it stays short. */
const LOOKED_AT = 1_000;

/** Moves the start of the text to what is done. */
function settle(output: Output): void {
  const { text } = output;
  const moved = text.length - 2;
  if (moved < LOOKED_AT) return;
  output.done += text.slice(0, moved);
  output.text = text.slice(moved);
  output.opened -= moved;
  output.closed -= moved;
}

function flush(output: Output, isLast = false): void {
  settle(output);
  if (output.code !== '') output.text += codeSpan(output.code);
  output.code = '';
  if (output.plain === '') return;
  const { isInLink, isNearFormula } = output;
  output.text += escapeText(output.plain, { isInLink, isLast, isNearFormula });
  output.plain = '';
}

/**
 * Writes the longest wrap that can start at a part. @returns the part behind it; undefined = none
 * can
 */
function writeWrapped(output: Output, at: number, range: Range): number | undefined {
  const endOf = (wrap: Wrap): number => Math.min(range.to, output.ends[wrap][at] ?? 0);
  const candidates = WRAPS.filter(
    (wrap) =>
      isIn(wrap, output.parts[at]) && !range.within.includes(wrap) && output.barred[wrap] <= at,
  );
  if (candidates.length > 1) candidates.sort((one, other) => endOf(other) - endOf(one));
  for (const wrap of candidates) {
    const whole = wrap === 'link' ? endOf(wrap) : outsideOfLink(output, endOf(wrap));
    const end = firmEnd(output, wrap, { ...range, from: at, to: whole }, range);
    const after = charAt(output, end, range);
    const sign = end > at ? signAt(output, wrap, at, after) : undefined;
    if (sign === undefined && wrap !== 'deleted') continue;
    output.barred[wrap] = whole;
    if (sign === undefined) continue;
    const inner = { from: at, to: end, within: [...range.within, wrap], after };
    if (wrap === 'link') writeLink(output, inner);
    else writeMarked(output, sign, inner);
    return end;
  }
  return undefined;
}

/** The end of a mark that would end within a link: in front of the link. */
function outsideOfLink({ parts, ends, isInLink }: Output, end: number): number {
  const link = parts[end - 1]?.link ?? null;
  if (isInLink || link === null || ends.link[end - 1] === end) return end;
  return startOfLink(parts, end);
}

function startOfLink(parts: readonly Piece[], end: number): number {
  const link = parts[end - 1]?.link;
  let start = end - 1;
  while (start > 0 && parts[start - 1]?.link === link) start -= 1;
  return start;
}

/** Where a wrap can end: not behind a blank, nor behind punctuation in front of a letter. */
function firmEnd(output: Output, wrap: Wrap, { from, to }: Range, outer: Range): number {
  const { parts, isInLink } = output;
  for (let end = to; end > from; ) {
    const part = parts[end - 1];
    if (!part) return end;
    const isLink = part.link !== null && !isInLink && wrap !== 'link';
    const last = isLink ? ')' : (innerSign(output, wrap, end - 1) ?? lastOf(shown(part)));
    const isFirm = wrap === 'link' || !isEdge(last) || isFree(charAt(output, end, outer));
    if (!isBlank(part) && isFirm) return end;
    end = isLink && !isBlank(part) ? startOfLink(parts, end) : end - 1;
  }
  return from;
}

/**
 * The sign of another kind that a part has at its edge within a wrap; those of the same kind are
 * one row.
 */
function innerSign({ parts, barred }: Output, wrap: Wrap, at: number): string | undefined {
  const marks = parts[at]?.marks ?? 0;
  if (wrap === 'deleted') return marks & (STRONG | EMPHASIS) ? '*' : undefined;
  return marks & DELETED && barred.deleted <= at ? '~' : undefined;
}

/** The character with which a part starts. */
function charAt({ parts, isInLink }: Output, at: number, { to, after }: Range): string {
  const part = parts[at];
  if (at >= to || !part) return after;
  if (part.kind === 'break') return ' ';
  const isLinkStart = !isInLink && part.link !== null && part.link !== parts[at - 1]?.link;
  return isLinkStart ? '[' : firstOf(part.kind === 'code' ? '`' : part.text);
}

/** The sign that opens a wrap at a part; undefined if a parser would not take it for one. */
function signAt(output: Output, wrap: Wrap, at: number, after: string): string | undefined {
  const [sign, other] = SIGNS[wrap];
  if (wrap === 'link') return sign;
  const part = output.parts[at];
  const isLink = part?.link && !output.isInLink;
  const first = isLink ? '[' : (innerSign(output, wrap, at) ?? firstOf(part ? shown(part) : ''));
  if (isEdge(first) && !isFree(charBefore(output))) return undefined;
  const { plain, code, text, closed } = output;
  const isBehindSign = plain === '' && code === '' && text.length === closed;
  if (!isBehindSign || output.closedSign[0] !== sign[0]) return sign;
  return other[0] !== sign[0] && isFree(after) ? other : undefined;
}

function charBefore({ plain, code, text, opened, beforeOpened }: Output): string {
  if (code !== '') return '`';
  if (plain !== '') return lastOf(plain);
  return text.length === opened ? beforeOpened : lastOf(text);
}

function writeLink(output: Output, range: Range): void {
  flush(output);
  const link = output.parts[range.from]?.link;
  // it would be an image
  if (output.text.endsWith('!')) output.text = `${output.text.slice(0, -1)}\\!`;
  output.text += '[';
  output.isInLink = true;
  write(output, { ...range, after: ']' });
  flush(output);
  output.isInLink = false;
  output.text += `](${link?.address ?? ''})`;
}

function writeMarked(output: Output, sign: string, range: Range): void {
  const before = charBefore(output);
  flush(output);
  output.text += sign;
  const isRow = sign !== '~~';
  output.opened = isRow ? output.text.length : -1;
  output.beforeOpened = before;
  write(output, isRow ? range : { ...range, after: '~' });
  flush(output);
  output.text += sign;
  output.closed = output.text.length;
  output.closedSign = sign;
}

/** Most characters are ASCII letters, which is quicker to see. */
const isEdge = (character: string): boolean =>
  !(character >= 'a' && character <= 'z') && /^[\p{P}\p{S}\s]/u.test(character);

/**
 * Whether signs next to this character may be on the side of punctuation. Symbols of two code
 * units are punctuation for some parsers only.
 */
const isFree = (character: string): boolean =>
  character.length < 2 && /^(?:$|[\p{P}\p{S}\s])/u.test(character);

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 32);

/** The last character; a pair of code units is one. */
function lastOf(text: string): string {
  return /[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? text.slice(-2) : text.slice(-1);
}
