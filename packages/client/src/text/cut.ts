/** The beginning of a text, never half of a character that takes two units. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

/** The same with a mark where it was cut. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${cutAt(text, length)}…`;
