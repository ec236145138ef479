/** A text as the value of a fence's attribute. */
export const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Neither a page nor a row may end its own fence, or begin one of either kind. */
export const fenced = (text: string): string =>
  text.replace(/<(\s*(?:\/\s*)?(?:results|source)\b)/gi, '&lt;$1');
