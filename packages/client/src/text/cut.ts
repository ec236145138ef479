/** The beginning of a text. Does not split a character of two UTF-16 units. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

/** The same, with an ellipsis where the text was cut. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${cutAt(text, length)}…`;
