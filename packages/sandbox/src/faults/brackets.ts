/** Where a fault directive is written in a text: `[[exa:status=503]]`. */
export const BRACKETS = /\[\[(.*?)(\]\]|$)/gs;

/** The text without its directives: the words that a search is about. */
export function withoutDirectives(text: string): string {
  return text.replace(BRACKETS, ' ').replace(/\s+/g, ' ').trim();
}
