/** An address in a text, of which GFM makes a link with everything up to the next blank. */
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>|]+/gi;

/** Where a text is. */
export interface Place {
  readonly isInLink: boolean;
  /** Whether nothing follows on its line. */
  readonly isLast: boolean;
  /** Whether its line has formulas, or what would be read as one. */
  readonly isNearFormula: boolean;
}

/** A text that is all of its line. */
export const ALONE: Place = { isInLink: false, isLast: true, isNearFormula: false };

/** Escapes only what would be read as markup, because many backslashes make a text hard to read. */
export function escapeText(text: string, place: Place): string {
  const hasAddress = text.includes('://') || text.includes('www.');
  if (!hasAddress && !/[\\`*_[\]<~&$]/.test(text)) return text;
  if (place.isInLink || !hasAddress) return escapePart(text, place);
  let escaped = '';
  let at = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const end = index + address.length;
    const isOpen = end === text.length ? !place.isLast : !/\s/.test(text[end] ?? '');
    escaped += escapePart(text.slice(at, index), place) + escapeUrl(address, isOpen, place);
    at = end;
  }
  return escaped + escapePart(text.slice(at), place);
}

/** Backslashes would be a part of the link, so its end is marked, or the link is undone. */
function escapeUrl(address: string, isOpen: boolean, place: Place): string {
  const escaped = escapePart(address, place);
  if (escaped === address && !isOpen) return address;
  return /^h/i.test(address) ? `<${address}>` : escaped.replace(/(?<=www)\.|:(?=\/\/)/gi, '\\$&');
}

function escapePart(text: string, { isInLink, isNearFormula }: Place): string {
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replace(isInLink ? /[`*[\]]/g : /[`*]|\](?=\()/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^\[(?=[ xX]\](?:\s|$))/, '\\[')
    .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
    .replace(/(?<!\s)~|~$/g, '\\~')
    .replace(/&(?=#?\w{1,32};)/g, '\\&');
  return isNearFormula ? escaped.replaceAll('$', '\\$') : escaped;
}

/**
 * Escapes the start of a line that would be read as a list, a heading, a quote, a definition or a
 * line under a heading.
 */
export function escapeLineStart(line: string): string {
  const first = line[0] ?? '';
  if (first >= '0' && first <= '9') return line.replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
  return isMark(first, line) ? `\\${line}` : line;
}

function isMark(first: string, line: string): boolean {
  switch (first) {
    case '#':
      return /^#{1,6}(?:\s|$)/.test(line);
    case '>':
      return true;
    case '+':
      return /^\+(?:\s|$)/.test(line);
    case '-':
    case ':':
    case '|':
      return /^-(?:\s|$)/.test(line) || /^[-:|\s]+$/.test(line);
    case '=':
      return /^=+\s*$/.test(line);
    case '[':
      return /^\[[^[\]]{1,999}\]:/.test(line);
    default:
      return false;
  }
}

/**
 * Whether programs that know formulas would read one in a text: both dollar signs touch what is
 * between them.
 */
export function hasFormulaSigns(text: string): boolean {
  const parts = text.split('$');
  const isFormula = (inside: string, at: number): boolean =>
    inside === inside.trim() && !/^\d/.test(parts[at + 2] ?? '');
  return parts.slice(1, -1).some(isFormula);
}
