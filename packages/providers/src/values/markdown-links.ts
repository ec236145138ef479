/** A line that opens or closes a block of code, also within lists. */
export const FENCE = /^[ \t]{0,16}(`{3,}|~{3,})/;
const CODE_SPAN = /`[^`\n]*`/g;
/** The destination of `[text](destination)` and `![alt](destination "title")`. */
const INLINE = /\]\(\s*<?([^\s()<>]+)/g;
/** `[name]: destination`; `[^1]: text` is a footnote. */
const DEFINITION = /^ {0,3}\[[^\]\n^][^\]\n]*\]:\s*<?([^\s<>]+)/;
const NOT_RELATIVE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i;

/**
 * Whether a markdown text has links or images without a host, such as `[prices](/prices)`; code is
 * ignored.
 */
export function hasRelativeLinks(markdown: string): boolean {
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark) fence = fenceAfter(fence, mark);
    else if (fence === null && hasRelative(line)) return true;
  }
  return false;
}

/** A fence is closed by one of the same character that is at least as long. */
export function fenceAfter(open: string | null, mark: string): string | null {
  if (open === null) return mark;
  return mark[0] === open[0] && mark.length >= open.length ? null : open;
}

function hasRelative(line: string): boolean {
  if (!line.includes('](') && !line.includes(']:')) return false;
  const prose = line.replace(CODE_SPAN, '');
  const targets = [...prose.matchAll(INLINE), DEFINITION.exec(prose) ?? []];
  return targets.some(([, target]) => target !== undefined && !NOT_RELATIVE.test(target));
}
