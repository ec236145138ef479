import { z } from 'zod';
import { ID } from '../examples/ids.ts';
import { RUN_STATUSES } from '../vocabulary/vocabulary.ts';
import { dateTimeOut, uuid, uuidOut } from './json.ts';

export const DiffQuery = z.object({
  with: uuid.meta({
    description: 'The later search, of the same project: a replay, or any other.',
    example: ID.interaction,
  }),
});

/** The texts of a row that are compared. */
export const DIFF_TEXTS = ['title', 'summary', 'excerpt', 'full_content'] as const;

const rowUrl = z.string().describe('URL of the row.');
const rowTitle = z.string().nullable().describe('Title of the row.');
const rank = z.int().describe('Place in the run, from 1.');

export const DiffRow = z
  .object({ url: rowUrl, title: rowTitle, rank })
  .meta({ id: 'DiffRow', description: 'A row that only one of both has.' });
export type DiffRow = z.output<typeof DiffRow>;

export const MovedRow = z
  .object({ url: rowUrl, title: rowTitle, from: rank, to: rank })
  .meta({ id: 'MovedRow', description: 'A row that has another rank.' });

const Titles = z
  .object({
    before: z.string().nullable().describe('Of the earlier run.'),
    after: z.string().nullable().describe('Of the later run.'),
  })
  .meta({ id: 'DiffTitles', description: 'Two titles of one page.' });

export const ChangedRow = z
  .object({
    url: rowUrl,
    rank,
    texts: z.array(z.enum(DIFF_TEXTS)).describe('Which texts differ.'),
    title: Titles.nullable().describe('Both titles, where they differ.'),
  })
  .meta({ id: 'ChangedRow', description: 'A row whose title or text differs.' });

export const DiffSide = z
  .object({
    run_id: uuidOut.describe('Id of the run.'),
    status: z.enum(RUN_STATUSES).describe('How the run ended.'),
    error_code: z.string().nullable().describe('Why it failed.'),
    rows: z.int().describe('Count of its rows.'),
    latency_ms: z.int().nullable().describe('How long it took; null when nothing was sent.'),
    cost_usd: z.number().nullable().describe('Booked cost; null = not known.'),
  })
  .meta({ id: 'DiffSide', description: 'One of two runs that are compared.' });

export const RunDiff = z
  .object({
    provider: z.string().describe('Provider slug.'),
    before: DiffSide.nullable().describe('null = it did not run.'),
    after: DiffSide.nullable().describe('null = it did not run.'),
    added: z.array(DiffRow).describe('Rows of the later run alone.'),
    gone: z.array(DiffRow).describe('Rows of the earlier run alone.'),
    moved: z.array(MovedRow).describe('Rows of both whose rank differs.'),
    changed: z.array(ChangedRow).describe('Rows of both whose title or text differs.'),
    same: z.int().describe('Count of rows that neither moved nor changed.'),
  })
  .meta({ id: 'RunDiff', description: 'What differs between two runs of one provider.' });
export type RunDiff = z.output<typeof RunDiff>;

const DiffedSearch = z
  .object({
    interaction_id: uuidOut.describe('Id of the search.'),
    session_id: uuidOut.describe('Its session.'),
    created_at: dateTimeOut.describe('When it was asked.'),
  })
  .meta({ id: 'DiffedSearch', description: 'One of two searches that are compared.' });

const QueryDiff = z
  .object({
    batch_index: z.int().describe('Place of the query in both.'),
    before: z.string().nullable().describe('The query; null = absent here.'),
    after: z.string().nullable().describe('The query; null = absent here.'),
    runs: z.array(RunDiff).describe('One for each provider that ran in one of both.'),
  })
  .meta({ id: 'QueryDiff', description: 'What differs for one query.' });

export const InteractionDiff = z
  .object({
    before: DiffedSearch.describe('The search of the path.'),
    after: DiffedSearch.describe('The search of `with`.'),
    queries: z.array(QueryDiff).describe('In batch order.'),
  })
  .meta({
    id: 'InteractionDiff',
    description:
      'What differs between two searches, by query and provider. Rows are the same where their comparable URLs are; rows without a URL are not compared.',
  });
export type InteractionDiff = z.output<typeof InteractionDiff>;
