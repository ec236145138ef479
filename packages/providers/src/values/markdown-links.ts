/**
 * A line that opens a block of code, also within lists. Behind backticks come no others: such a
 * line is code within prose.
 */
const OPENING = /^[ \t]{0,16}(?:(`{3,})[^`]*$|(~{3,}))/;
const CLOSING = /^[ \t]{0,16}(`{3,}|~{3,})\s*$/;
const CODE_SPAN = /`[^`\n]*`/g;
/** The destination of `[text](destination)` and `![alt](destination "title")`. */
const INLINE = /\]\(\s*<?([^\s()<>]+)/g;
/**
 * A line that defines an address under a label: `[label]: destination "title"`. All of it is in
 * groups. Behind a destination comes a title or nothing (CommonMark 4.7), and
 * `[^1]: text` is a footnote.
 */
export const DEFINITION =
  /^(?<start> {0,3}\[(?<label>[^\]\n^][^\]\n]*)\]:[ \t]*<?)(?<destination>[^\s<>]+)(?<rest>>?(?:[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\((?:[^()\\\n]|\\.)*\)))?\s*)$/;
const NOT_RELATIVE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;

/**
 * Whether a markdown text has links or images without a host, such as `[prices](/prices)`; code is
 * ignored.
 */
export function hasRelativeLinks(markdown: string): boolean {
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const next = fenceAfter(fence, line);
    if (next === null && fence === null && hasRelative(line)) return true;
    fence = next;
  }
  return false;
}

/**
 * The fence of a block of code that is open after a line; null = none. It is closed by one of the
 * same character that is at least as long, with nothing behind it (CommonMark 4.5).
 * @param open before the line
 */
export function fenceAfter(open: string | null, line: string): string | null {
  if (open === null) {
    const [, ticks, tildes] = OPENING.exec(line) ?? [];
    return ticks ?? tildes ?? null;
  }
  const mark = CLOSING.exec(line)?.[1] ?? '';
  return mark[0] === open[0] && mark.length >= open.length ? null : open;
}

function hasRelative(line: string): boolean {
  if (!line.includes('](') && !line.includes(']:')) return false;
  const prose = line.replace(CODE_SPAN, '');
  const targets = [...prose.matchAll(INLINE)].map(([, target]) => target);
  targets.push(DEFINITION.exec(prose)?.groups?.destination);
  return targets.some((target) => target !== undefined && !NOT_RELATIVE.test(target));
}
