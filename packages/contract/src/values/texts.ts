/**
 * A text without the characters of a set at its end, in one pass. The time of an expression such as
 * `/x+$/` grows with the square of the length, since it is tried again at each place of a run that
 * does not end the text.
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The same at the start of the text. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Passages of a page as one text, with a mark for what is between them. */
export const passagesText = (passages: readonly { readonly text: string }[]): string =>
  passages.map(({ text }) => text).join('\n\n[…]\n\n');
