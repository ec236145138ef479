import { z } from 'zod';
import { ID, TIME } from '../examples/ids.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import {
  NEWS_KINDS,
  SETTABLE_WATCH_STATES,
  WATCH_RUN_STATUSES,
  WATCH_STATES,
  WATCH_STOPS,
} from '../vocabulary/vocabulary.ts';
import { keySettings } from './access-settings.ts';
import { DryRun } from './billing.ts';
import { FetchRequest } from './fetch.ts';
import { dateTimeOut, freeObject, openEnum, optional, uuid, uuidOut } from './json.ts';
import { cursor, pageNext, pageQuery } from './page.ts';
import { SearchRequest } from './search-request.ts';

/** A watch asks the same search or the same pages again and again, and says what is new. */

const watchId = uuid.meta({ description: 'Id of the watch.', example: ID.watch });

export const WatchPath = z.object({ watch_id: watchId });

const name = keySettings.name.describe('For people; several watches may have the same.');
const intervalMinutes = z
  .int()
  .min(LIMITS.watchMinutesMin)
  .max(LIMITS.watchMinutesMax)
  .describe('Minutes from one run to the next.');

/** A list of rows without addresses could not be compared. */
const WatchedSearch = SearchRequest.omit({ session_id: true })
  .strict()
  .refine(({ search }) => search?.fields === undefined || search.fields.includes('url'), {
    path: ['search', 'fields'],
    message: 'add "url": a watch compares results by their URL',
  })
  .meta({
    id: 'WatchedSearch',
    description: 'The body of a search. A watch has a session of its own.',
  });

/** The lowest tier has no hash of the text. */
const WatchedFetch = FetchRequest.omit({ session_id: true })
  .strict()
  .refine(({ options }) => options?.tier !== 'minimalist', {
    path: ['options', 'tier'],
    message:
      'name a tier above "minimalist": a watch compares content_sha256, which that tier lacks',
  })
  .meta({
    id: 'WatchedFetch',
    description: 'The body of a fetch. A watch has a session of its own.',
  });

export const NewWatch = z
  .strictObject({
    name: optional(name),
    interval_minutes: intervalMinutes,
    search: optional(WatchedSearch).describe('What to search for; not together with `fetch`.'),
    fetch: optional(WatchedFetch).describe('Which pages to read; not together with `search`.'),
  })
  .superRefine(({ search, fetch }, context) => {
    if (search === undefined && fetch === undefined) {
      const issue = { code: 'invalid_type', expected: 'object', input: undefined } as const;
      context.addIssue({ ...issue, path: ['search'] });
    } else if (search !== undefined && fetch !== undefined) {
      const message = 'send search, the body of a search, or fetch, the body of a fetch: not both';
      context.addIssue({ code: 'custom', message, path: ['fetch'], input: fetch });
    }
  })
  .meta({ id: 'NewWatch', description: 'A search or pages to ask for again and again.' });
export type NewWatch = z.output<typeof NewWatch>;

/** What a watch asks for, as it is stored. */
export type WatchedRequest =
  | { readonly search: z.output<typeof WatchedSearch> }
  | { readonly fetch: z.output<typeof WatchedFetch> };

export const WatchChange = z
  .strictObject({
    name: optional(name),
    interval_minutes: optional(intervalMinutes),
    state: optional(z.enum(SETTABLE_WATCH_STATES)).describe(
      '`paused`: it does not run. `active`: it runs again, at once where a run was missed.',
    ),
  })
  .meta({ id: 'WatchChange', description: 'What is absent stays.' });
export type WatchChange = z.output<typeof WatchChange>;

export const WatchError = z
  .object({
    status: z.int().describe('HTTP status of the answer.'),
    message: z.string().describe('What went wrong, for a person to read.'),
  })
  .meta({ id: 'WatchError', description: 'Why a run of a watch was not whole.' });

export const Watch = z
  .object({
    id: uuidOut.describe('Id of the watch.'),
    name: z.string().nullable().describe('For people; null = it has none.'),
    state: openEnum(WATCH_STATES).describe(
      '`active`: it runs. `paused`: it was paused. `stopped`: its key ended.',
    ),
    stop_reason: openEnum(WATCH_STOPS)
      .nullable()
      .describe('What happened to its key; null = it is not stopped.'),
    key_id: uuidOut.describe('The key that made it, under whose limits and budget it runs.'),
    session_id: uuidOut.describe('The session with its runs. It is there from the first run on.'),
    interval_minutes: z.int().describe('Minutes from one run to the next.'),
    search: freeObject().nullable().describe('The body of its searches; null = it reads pages.'),
    fetch: freeObject().nullable().describe('The body of its fetches; null = it searches.'),
    created_at: dateTimeOut.describe('When it was made.'),
    next_run_at: dateTimeOut
      .nullable()
      .describe('When it runs next; in the past where that is due. null = it does not run.'),
    last_run_at: dateTimeOut.nullable().describe('When its last run began; null = there was none.'),
    last_status: openEnum(WATCH_RUN_STATUSES)
      .nullable()
      .describe(
        '`succeeded`, `partial` or `failed` by the providers or pages that answered; `refused`: the request was, as by a limit or a budget, and nothing was sent.',
      ),
    last_error: WatchError.nullable().describe('Why the last run was not whole; null = it was.'),
    last_interaction_id: uuidOut
      .nullable()
      .describe('What the last run recorded; null = it recorded nothing.'),
    failures: z.int().describe('Runs in a row that failed or were refused.'),
    news_count: z.int().describe('News since it was made.'),
  })
  .meta({ id: 'Watch', description: 'A search or pages that are asked for again and again.' });
export type Watch = z.output<typeof Watch>;

export const WatchDryRun = DryRun.extend({
  runs_per_day: z.number().describe('Runs in 24 hours, at its interval.'),
  usd_per_day: z
    .number()
    .nullable()
    .describe('`total_usd` times `runs_per_day`; null where `total_usd` is.'),
}).meta({ id: 'WatchDryRun', description: 'What each run of a watch would call and cost.' });
export type WatchDryRun = z.output<typeof WatchDryRun>;

export const WatchRun = z
  .object({
    watch_id: uuidOut.describe('Id of the watch.'),
    interaction_id: uuidOut.describe('What the run recorded, in the session of the watch.'),
  })
  .meta({ id: 'WatchRun', description: 'A run of a watch that was asked for.' });
export type WatchRun = z.output<typeof WatchRun>;

export const WatchesQuery = z.object({ ...pageQuery(ID.watch) });

export const WatchesResponse = z
  .object({
    watches: z.array(Watch).describe('Of the project, the oldest first.'),
    next_after: pageNext,
  })
  .meta({ id: 'WatchesResponse', description: 'The watches of a project.' });

const NUMBER = /^\d{1,15}$/;
const Time = z.iso.datetime({ offset: true });

const after = cursor((text) => NUMBER.test(text) || Time.safeParse(text).success);

export const NewsQuery = z.object({
  after: optional(after).meta({
    description:
      'Only news after the item of this `sequence`, or after this time; all when absent.',
    example: TIME,
  }),
  limit: optional(z.int().min(1).max(LIMITS.newsMax)).meta({
    description: `Most items in the answer; ${LIMITS.newsDefault} when absent.`,
    example: 100,
  }),
});

export const WatchNews = z
  .object({
    sequence: z.int().describe('Place among the news of the watch, from 1. Pass it as `after`.'),
    kind: openEnum(NEWS_KINDS).describe(
      '`result`: a URL that no run had. `content`: a text of a page that no run had.',
    ),
    url: z.string().describe('URL of the result or the page.'),
    title: z.string().nullable().describe('Its title.'),
    provider: z.string().nullable().describe('Who delivered it.'),
    batch_index: z.int().describe('Place of its query among those of the watch; 0 for pages.'),
    content_sha256: z.string().nullable().describe('SHA-256 of the text; null for results.'),
    interaction_id: uuidOut.describe('The run that found it, which has the whole row.'),
    first_seen_at: dateTimeOut.describe('When that run was recorded.'),
  })
  .meta({ id: 'WatchNews', description: 'A result or a text that is new.' });
export type WatchNews = z.output<typeof WatchNews>;

export const NewsResponse = z
  .object({
    watch_id: uuidOut.describe('Id of the watch.'),
    news: z.array(WatchNews).describe('In the order in which they were found.'),
    next_after: z.string().optional().describe('Present when there is more: pass it as `after`.'),
  })
  .meta({ id: 'NewsResponse', description: 'What a watch found that is new.' });
export type NewsResponse = z.output<typeof NewsResponse>;
