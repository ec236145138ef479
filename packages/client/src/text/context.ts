import type { ContextResponse } from '../contract/types.ts';
import { cutText } from './cut.ts';
import { oneLine } from './fence.ts';

const SHOWN_WARNINGS = 8;
const SHOWN_PAGES = 12;

/**
 * A context as text for a model, in paragraphs: its sources, or that nothing was found, then what
 * is missing, what failed or was adjusted, and its cost.
 */
export const contextAsText = (answer: ContextResponse): readonly string[] => [
  answer.context.text === '' ? 'No source was found.' : answer.context.text,
  ...contextNotes(answer),
];

/** What a context is without: pages, and what failed or was adjusted. Then its cost. */
export function contextNotes({ context, warnings, cost_usd }: ContextResponse): readonly string[] {
  const pages = context.left_out
    .slice(0, SHOWN_PAGES)
    .map(({ url, reason }) => `- ${reason}: ${oneLine(cutText(url, 300))}`);
  const said = warnings
    .slice(0, SHOWN_WARNINGS)
    .map(({ code, message }) => `- ${code}: ${oneLine(cutText(message, 300))}`);
  return [
    ...listed('Left out:', pages, context.left_out.length),
    ...listed('Warnings:', said, warnings.length),
    ...(cost_usd === null ? [] : [`Cost: $${Number(cost_usd.toFixed(6))}`]),
  ];
}

function listed(head: string, lines: readonly string[], count: number): readonly string[] {
  if (count === 0) return [];
  const more = count > lines.length ? [`- and ${count - lines.length} more`] : [];
  return [[head, ...lines, ...more].join('\n')];
}
