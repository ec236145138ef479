import { z } from 'zod';
import { LIMITS } from '../vocabulary/limits.ts';
import { dateTimeOut, optional, readListOf, uuid, uuidOut } from './json.ts';

export const WantedQuote = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(LIMITS.quoteCharacters)
      .describe('The quote, without its quotation marks. An ellipsis may leave words out.'),
    url: optional(z.string().min(1).max(LIMITS.urlCharacters)).describe(
      'Only rows and pages with this URL; different spellings of one URL are the same.',
    ),
  })
  .meta({ id: 'WantedQuote', description: 'A quote and where it should be from.' });

export const VerifyRequest = z
  .strictObject({
    session_id: uuid.describe('The session whose records are searched.'),
    quotes: readListOf(WantedQuote, 1, LIMITS.quotes).describe('The quotes to look for.'),
  })
  .meta({ id: 'VerifyRequest', description: 'Quotes to look for in the records of a session.' });
export type VerifyRequest = z.output<typeof VerifyRequest>;

export const QUOTE_STATUSES = ['exact', 'normalized', 'near', 'not_found'] as const;

/** The texts of a record in which quotes are looked for. */
export const QUOTED_FIELDS = [
  'full_content',
  'content',
  'passages',
  'chunks',
  'transcript',
  'excerpt',
  'summary',
  'answer',
  'title',
] as const;
export type QuotedField = (typeof QUOTED_FIELDS)[number];

const text = z.string().nullable();

export const VerifiedQuote = z
  .object({
    status: z
      .enum(QUOTE_STATUSES)
      .describe(
        '`exact`: the record has it letter by letter. `normalized`: it differs only in blanks, quotation marks, hyphens, markup, or what an ellipsis leaves out. `near`: some letters differ, as `distance` says; read `passage`. `not_found`: no record has it.',
      ),
    distance: z
      .int()
      .nullable()
      .describe('Letters that were changed, added or left out; null when it was not found.'),
    interaction_id: uuidOut.nullable().describe('The search or fetch that has it.'),
    run_id: uuidOut.nullable().describe('Its run.'),
    row: z
      .int()
      .nullable()
      .describe('Place of the row or page in its run, from 1; null for an answer in words.'),
    url: text.describe('URL of the row or page, as recorded.'),
    field: z.enum(QUOTED_FIELDS).nullable().describe('The text that has it.'),
    offset: z
      .int()
      .nullable()
      .describe(
        'Where it begins in that text, in characters (code points); for `passages` in the whole content.',
      ),
    passage: text.describe('What the text has there; cut after 4,000 characters.'),
    retrieved_at: dateTimeOut.nullable().describe('When the search or fetch was answered.'),
    publish_date: text.describe('When the page was published, as recorded.'),
    content_sha256: text.describe(
      'SHA-256 of the whole content of a fetched page, as recorded; otherwise of the text that has the quote.',
    ),
  })
  .meta({ id: 'VerifiedQuote', description: 'Whether and where a record has a quote.' });
export type VerifiedQuote = z.output<typeof VerifiedQuote>;

export const VerifyResponse = z
  .object({
    session_id: uuidOut.describe('The session that was searched.'),
    quotes: z.array(VerifiedQuote).describe('One for each quote, in the order sent.'),
    interactions: z
      .int()
      .describe('Searches and fetches that were searched; deleted ones are not among them.'),
    texts: z.int().describe('Texts that were searched.'),
    deleted_interactions: z
      .int()
      .describe(
        'Searches and fetches of the session that were deleted for their age, as far as known: a quote may have been there.',
      ),
  })
  .meta({ id: 'VerifyResponse', description: 'Which quotes the records of a session have.' });
export type VerifyResponse = z.output<typeof VerifyResponse>;
