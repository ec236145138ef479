/** Text that is markup already. */
export interface Html {
  readonly markup: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | number | Html | readonly Html[];

/** Escapes every value that is not markup, so that nothing of a set or a provider becomes any. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = texts.map((text, index) => text + markupOf(parts[index] ?? '')).join('');
  return { markup };
}

function markupOf(part: Part): string {
  if (typeof part === 'object') {
    return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
  }
  return String(part).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
