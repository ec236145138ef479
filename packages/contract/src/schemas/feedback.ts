import { z } from 'zod';
import { ID } from '../examples/ids.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import { VERDICTS } from '../vocabulary/vocabulary.ts';
import { dateTimeOut, optional, readListOf, uuid, uuidOut } from './json.ts';

export const InteractionPath = z.object({
  interaction_id: uuid.meta({
    description: 'A search or fetch of the key’s project.',
    example: ID.interaction,
  }),
});

/** One result by its URL or rank, and the verdict on it. */
export const ResultVerdict = z
  .strictObject({
    url: optional(z.string().min(1)).describe(
      'URL of the result. Means the result in every run that found it, unless narrowed; different spellings of one URL are the same.',
    ),
    rank: optional(z.int().min(1)).describe(
      'Its place in the run, from 1; for a fetch, in the list of pages. Without `url` it must identify one result.',
    ),
    provider: optional(z.string().min(1)).describe('Only results of this provider.'),
    batch_index: optional(z.int().min(0)).describe('Only results of this query of a batch.'),
    run_id: optional(uuid).describe('Only results of this run.'),
    verdict: z
      .enum(VERDICTS)
      .describe(
        '`used`: it was used in the work that followed. `right`: it was checked and is right. `wrong`: it is misleading or off the topic.',
      ),
  })
  .refine(({ url, rank }) => url !== undefined || rank !== undefined, {
    path: ['url'],
    message: 'name the result by its url, or by rank with provider or run_id',
  })
  .meta({
    id: 'ResultVerdict',
    description: 'One result by its URL or rank, and the verdict on it.',
  });
export type ResultVerdict = z.output<typeof ResultVerdict>;

export const FeedbackRequest = z
  .strictObject({
    // checked as a list with a limit on its faults, then parsed
    results: readListOf(ResultVerdict, 1, LIMITS.feedbackResults).describe(
      'The results that get a verdict.',
    ),
    user_id: optional(z.string().max(LIMITS.userIdCharacters)).describe(
      'Label of who gave the feedback, kept with it.',
    ),
    note: optional(z.string().max(LIMITS.noteCharacters)).describe(
      'Why, in your own words; kept with each of the results.',
    ),
  })
  .meta({
    id: 'FeedbackRequest',
    description: 'Which results of an interaction were used, right or wrong.',
  });
export type FeedbackRequest = z.output<typeof FeedbackRequest>;

export const ResultFeedback = z
  .object({
    run_id: uuidOut.describe('The run that holds the result.'),
    batch_index: z.int().describe('Which query it answers; 0 for a fetch.'),
    provider: z.string().describe('Whose result it is.'),
    rank: z.int().min(1).describe('Its place in the run, from 1.'),
    url: z
      .string()
      .nullable()
      .describe('As the run has it; null where its rows were asked for without URLs.'),
    verdict: z.enum(VERDICTS).describe('The latest verdict.'),
    user_id: z.string().nullable().describe('Who gave it; null = not given.'),
    note: z.string().nullable().describe('Why; null = not given.'),
    created_at: dateTimeOut.describe('When it was given.'),
  })
  .meta({ id: 'ResultFeedback', description: 'The feedback on one result.' });
export type ResultFeedback = z.output<typeof ResultFeedback>;

export const FeedbackResponse = z
  .object({
    session_id: uuidOut.describe('The session of the interaction.'),
    interaction_id: uuidOut.describe('The interaction that has the results.'),
    results: z
      .array(ResultFeedback)
      .describe('In order of query, run and rank. In the answer to a POST: those that it named.'),
  })
  .meta({ id: 'FeedbackResponse', description: 'Feedback on an interaction, as it is kept.' });
export type FeedbackResponse = z.output<typeof FeedbackResponse>;
