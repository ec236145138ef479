import type { InteractionDetails, VerifiedQuote } from '@trawl/contract';

/** A recorded text, and the stretch of it that was found, in UTF-16 units. */
export interface QuotedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text that has a quote; undefined = the record does not have it there. */
export function quotedText(
  { preprocessor_runs: runs }: InteractionDetails,
  found: VerifiedQuote,
): QuotedText | undefined {
  const { run_id, offset, passage } = found;
  const output = runs.find(({ id }) => id === run_id)?.output_payload;
  if (!output || offset === null || passage === null) return undefined;
  for (const { text, from } of textsOf(output, found)) {
    const start = unitsOf(text, offset - from);
    if (start !== undefined && text.startsWith(passage, start)) {
      return { text, start, end: start + passage.length };
    }
  }
  return undefined;
}

type Output = NonNullable<InteractionDetails['preprocessor_runs'][number]['output_payload']>;

/** The texts of a field with the place where each begins, in characters. */
function textsOf(
  output: Output,
  { field, row }: VerifiedQuote,
): readonly { readonly text: string; readonly from: number }[] {
  const all = (...texts: readonly (string | null | undefined)[]) =>
    texts.flatMap((text) => (text ? [{ text, from: 0 }] : []));
  if (field === null) return [];
  if (field === 'answer') return 'results' in output ? all(output.answer?.text) : [];
  const place = (row ?? 0) - 1;
  if ('results' in output) {
    const found = output.results[place];
    return found && field in found ? all(found[field as 'title']) : [];
  }
  const page = output.fetched_results[place];
  if (!page) return [];
  if (field === 'passages')
    return (page.passages ?? []).map(({ text, offset }) => ({ text, from: offset }));
  if (field === 'chunks') return all(...(page.chunks ?? []));
  return field === 'content' || field === 'transcript' || field === 'title' ? all(page[field]) : [];
}

/** Where a character begins; undefined = the text has no such place. */
function unitsOf(text: string, characters: number): number | undefined {
  if (characters < 0) return undefined;
  let units = 0;
  for (let passed = 0; passed < characters; passed += 1) {
    if (units >= text.length) return undefined;
    const unit = text.charCodeAt(units);
    const next = text.charCodeAt(units + 1);
    units += unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
  }
  return units;
}
