/** An image in markdown. */
export const IMAGE = /!\[[^\]\n]{0,120}\]\([^)\n]{0,1000}\)/g;
/** A link in markdown; its text is the first group. */
export const LINK = /\[([^\]\n]{0,120})\]\([^)\n]{0,1000}\)/g;
/** The line before and after a block of code. */
export const FENCE = /^\s{0,3}(?:```|~~~)/;

/** Whether an address names a file of markdown. */
export const isMarkdownName = (url: string): boolean =>
  /\.(?:md|mdx|markdown|mdown|mkd)$/i.test(url.split(/[?#]/, 1)[0] ?? '');
