/** Escapes a text for an attribute of a fence. */
export const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Escapes tags of fences, so that a page or row cannot end its own fence or begin another. */
export const fenced = (text: string): string =>
  text.replace(/<(\s*(?:\/\s*)?(?:results|source)\b)/gi, '&lt;$1');
