/** What is not plain text in markdown prose. */
export interface ProseToken {
  readonly kind: 'escape' | 'code' | 'address' | 'element' | 'open' | 'close' | 'mark';
  readonly at: number;
  /** All of it: for the end of a link, with its address and title or its label. */
  readonly text: string;
  /** The address of a link; absent = it has none here. */
  readonly target?: string;
  /** Where the address begins. */
  readonly targetAt?: number;
}

const SPECIAL = /[\\`<![\]*_~]/g;
const CODE = /`[^`\n]+`/y;
const ADDRESS = /<https?:[^\s<>]+>/iy;
const ELEMENT = /<\/?[a-z][^<>]*>/iy;
const MARK = /\*{1,3}|_{1,3}|~~/y;
const TARGET_START = /\(\s*<?/y;
const TARGET = /[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*/y;
const TARGET_END = /[^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)/y;
const LABEL = /\[[^[\]\n]*\]/y;

/** The tokens of markdown prose, in their order, without overlaps. */
export function* tokensOf(prose: string): Generator<ProseToken> {
  let from = 0;
  for (let at = nextSpecial(prose, 0); at >= 0; at = nextSpecial(prose, from)) {
    const token = tokenAt(prose, at);
    if (token) yield token;
    from = at + (token?.text.length ?? 1);
  }
}

function nextSpecial(prose: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(prose)?.index ?? -1;
}

function tokenAt(prose: string, at: number): ProseToken | undefined {
  const first = prose.charAt(at);
  const token = (kind: ProseToken['kind'], text: string | undefined): ProseToken | undefined =>
    text === undefined ? undefined : { kind, at, text };
  switch (first) {
    case '\\':
      return token('escape', prose.slice(at, at + 2));
    case '`':
      return token('code', matchAt(CODE, prose, at));
    case '<':
      return (
        token('address', matchAt(ADDRESS, prose, at)) ??
        token('element', matchAt(ELEMENT, prose, at))
      );
    case '!':
      return token('open', prose.startsWith('![', at) ? '![' : undefined);
    case '[':
      return token('open', '[');
    case ']':
      return closeAt(prose, at);
    default:
      return token('mark', matchAt(MARK, prose, at));
  }
}

function closeAt(prose: string, at: number): ProseToken {
  const label = matchAt(LABEL, prose, at + 1);
  if (label !== undefined) return { kind: 'close', at, text: `]${label}` };
  const bare: ProseToken = { kind: 'close', at, text: ']' };
  const start = matchAt(TARGET_START, prose, at + 1);
  if (start === undefined) return bare;
  const targetAt = at + 1 + start.length;
  const target = matchAt(TARGET, prose, targetAt) ?? '';
  const end = matchAt(TARGET_END, prose, targetAt + target.length);
  if (end === undefined) return bare;
  const text = prose.slice(at, targetAt + target.length + end.length);
  return { kind: 'close', at, text, ...(target === '' ? {} : { target, targetAt }) };
}

/** What an expression matches at a place of a text. */
function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}
