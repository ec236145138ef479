/** Matches fault directives in a text: `[[exa:status=503]]`. */
export const BRACKETS = /\[\[(.*?)(\]\]|$)/gs;

/** The text without its directives: the actual words of a search. */
export function withoutDirectives(text: string): string {
  return text.replace(BRACKETS, ' ').replace(/\s+/g, ' ').trim();
}
