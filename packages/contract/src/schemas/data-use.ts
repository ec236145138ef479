import { z } from 'zod';
import { openEnum } from './json.ts';

/**
 * Whether a vendor trains models on what its customers send. `opt_out`: unless the account switches
 * it off.
 */
export const TRAINING_USES = ['no', 'opt_out', 'yes', 'unknown'] as const;
export type TrainingUse = (typeof TRAINING_USES)[number];

export const DataUse = z
  .object({
    training: openEnum(TRAINING_USES).describe(
      'Whether models are trained on what is sent, by the standard terms. `opt_out`: unless the account switches it off. `unknown`: nothing reliable was found.',
    ),
    retention: z
      .string()
      .describe('How long queries and pages are kept; `unknown` where nothing was found.'),
    region: z.string().describe('Where they are processed; `unknown` where nothing was found.'),
    source: z.string().nullable().describe('The page that this rests on; null = none.'),
    checked: z.iso
      .date()
      .nullable()
      .describe('The day of the check; null where the operator of the server states it.'),
    note: z.string().describe('What limits these statements, such as other contracts.'),
  })
  .meta({
    id: 'DataUse',
    description:
      'What its vendor does with queries and pages, by its public terms. Your own contract may differ.',
  });
export type DataUse = z.output<typeof DataUse>;

/** The part of it that a dry run repeats for each call. */
export const PlannedDataUse = DataUse.pick({ training: true, retention: true, region: true }).meta({
  id: 'PlannedDataUse',
  description: 'What the vendor of a planned call does with what is sent, see `DataUse`.',
});
