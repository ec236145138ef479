/** What Exa's two endpoints have in common. */
import { z } from 'zod';
import { passagesOf } from '../declaration/values.ts';

/** Options of a text; its length is applied here. */
export const textOption = z.union([
  z.boolean(),
  z.object({
    maxCharacters: z.int().min(1).optional(),
    includeHtmlTags: z.literal(false, 'trawl returns text without HTML tags').optional(),
  }),
]);

export const highlightsOption = z.union([
  z.boolean(),
  z.object({
    query: z.string().optional(),
    maxCharacters: z.int().min(1).optional(),
    numSentences: z.int().optional(),
    highlightsPerUrl: z.int().optional(),
  }),
]);

export const summaryOption = z.union([
  z.boolean(),
  z.object({ query: z.string().optional(), schema: z.looseObject({}).optional() }),
]);

export const extrasOption = z.object({
  links: z.int().min(0).max(1_000).optional(),
  imageLinks: z.int().min(0).max(1_000).optional(),
});

/** The content options of a request, as far as both endpoints have them. */
export interface ContentOptions {
  readonly text?: z.output<typeof textOption> | undefined;
  readonly highlights?: z.output<typeof highlightsOption> | undefined;
  readonly summary?: z.output<typeof summaryOption> | undefined;
}

interface Texts {
  readonly text: string | null;
  readonly excerpt: string | null;
  readonly summary: string | null;
}

/** The texts that a request asks for; one that we do not have is left out, as Exa does. */
export const contentsOf = (asked: ContentOptions, { text, excerpt, summary }: Texts) => ({
  ...(asked.text && text !== null ? { text: cut(text, asked.text) } : {}),
  ...(asked.highlights && excerpt !== null
    ? { highlights: passages(excerpt, asked.highlights) }
    : {}),
  ...(asked.summary && summary !== null ? { summary } : {}),
});

type WithLimit = boolean | { readonly maxCharacters?: number | undefined };

const limitOf = (option: WithLimit): number =>
  typeof option === 'object' ? (option.maxCharacters ?? Number.POSITIVE_INFINITY) : Infinity;

const cut = (text: string, option: WithLimit): string => text.slice(0, limitOf(option));

/** Whole passages, as many as fit; the first is cut where it alone is too long. */
function passages(excerpt: string, option: WithLimit): readonly string[] {
  let left = limitOf(option);
  return passagesOf(excerpt).flatMap((passage, index) => {
    const fits = passage.length <= left;
    const shown = fits ? passage : index === 0 ? passage.slice(0, left) : '';
    left -= passage.length;
    return shown === '' ? [] : [shown];
  });
}

/** 32 hex digits, as Exa's ids have. */
export const requestIdOf = (id: string): string => id.replaceAll('-', '');

export const costOf = (costUsd: number | null) =>
  costUsd === null ? {} : { costDollars: { total: costUsd } };
