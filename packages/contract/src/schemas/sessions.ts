import { z } from 'zod';
import { ID, TIME } from '../examples/ids.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import {
  HISTORY_TYPES,
  INTERACTION_OUTCOMES,
  INTERACTION_STATUSES,
  NODE_TYPES,
  SESSION_PARTS,
} from '../vocabulary/vocabulary.ts';
import { PostprocessorRun, PreprocessorRun } from './interaction.ts';
import { dateTimeOut, freeObject, openEnum, optional, uuid, uuidOut } from './json.ts';
import { maxTextCharacters } from './shared.ts';

const sessionId = uuid.meta({ description: 'Id of the session.', example: ID.session });

export const InteractionQuery = z.object({
  session_id: sessionId,
  interaction_id: uuid.meta({ description: 'Id of the interaction.', example: ID.interaction }),
  max_chars: maxTextCharacters,
});

const pageSize = (max: number) => z.int().min(1).max(max);

export const SessionsQuery = z
  .object({
    limit: optional(pageSize(LIMITS.sessionsMax)).meta({
      description: `Most sessions in the answer; ${LIMITS.sessionsDefault} when absent.`,
      example: 20,
    }),
    before: optional(z.iso.datetime({ offset: true })).meta({
      description:
        'Only sessions whose newest interaction is older: pass the last `latest_interaction_at` for the next page.',
      example: TIME,
    }),
    session_id: optional(uuid).meta({
      description: 'Only this session, if the project has it.',
      example: ID.session,
    }),
    include: optional(z.enum(SESSION_PARTS)).meta({
      description: '`summary` adds to each session its first query or URL and its cost.',
      example: 'summary',
    }),
    before_id: optional(uuid).meta({
      description:
        'With `before`: also the sessions at exactly that time whose id comes after this one.',
      example: ID.session,
    }),
  })
  .refine(({ before, before_id }) => before_id === undefined || before !== undefined, {
    path: ['before_id'],
    message:
      'before_id goes with before: send the latest_interaction_at and the id of the last session',
  });

export const SessionPath = z.object({ session_id: sessionId });

const page = {
  limit: optional(pageSize(LIMITS.historyMax)).meta({
    description: 'Most interactions in the answer; all when absent.',
    example: 100,
  }),
  after: optional(uuid).meta({
    description: 'Only interactions after this one.',
    example: ID.interaction,
  }),
};
export const HistoryQuery = z.object({
  type: optional(z.enum(HISTORY_TYPES)).meta({
    description: '`full` adds runs and metadata; `short` when absent.',
    example: 'full',
  }),
  limit: page.limit.meta({
    description: `Most interactions in the answer. When absent: all with \`short\`, ${LIMITS.historyFullDefault} with \`full\`.`,
    example: 100,
  }),
  after: page.after,
});
export const TrajectoryQuery = z.object(page);

export const SessionSummary = z
  .object({
    first_input: z
      .string()
      .nullable()
      .describe(
        `The first query or URL that was asked for, its first ${LIMITS.firstInputCharacters} characters; null without one.`,
      ),
    run_count: z.int().describe('Provider runs in it; a fetch counts as one.'),
    outcomes: z
      .object({
        succeeded: z.int().describe('With all runs or pages.'),
        partial: z.int().describe('With some of them.'),
        failed: z.int().describe('With none of them.'),
      })
      .meta({
        id: 'SessionOutcomes',
        description: 'Interactions by how they ended: a search by its runs, a fetch by its pages.',
      }),
    cost_usd: z.number().nullable().describe('Known costs; null if none is known.'),
    unpriced_calls: z.int().describe('Upstream calls whose cost is not known.'),
    deleted_interactions: z
      .int()
      .describe('Interactions that were deleted for their age while others stayed.'),
  })
  .meta({
    id: 'SessionSummary',
    description: 'The first query or URL of a session, and its cost.',
  });

export const Session = z
  .object({
    id: uuidOut.describe('Id of the session.'),
    created_at: dateTimeOut.describe('When its first interaction began.'),
    updated_at: dateTimeOut.describe('When it last changed.'),
    interaction_count: z.int().describe('Interactions in it.'),
    latest_interaction_at: dateTimeOut.describe('When its newest interaction began.'),
    summary: SessionSummary.optional().describe('With include=summary.'),
  })
  .meta({ id: 'Session', description: 'Interactions that belong together.' });
export const SessionsResponse = z
  .object({ sessions: z.array(Session).describe('Newest activity first.') })
  .meta({ id: 'SessionsResponse', description: 'A page of the sessions of a project.' });
export type SessionsResponse = z.output<typeof SessionsResponse>;

export const InteractionRecordSummary = z
  .object({
    id: uuidOut.describe('Id of the interaction.'),
    session_id: uuidOut.describe('The session that it belongs to.'),
    user_input: freeObject()
      .nullable()
      .describe(
        'What was asked: a query object, `queries` of a batch, or `urls`; null when nothing was.',
      ),
    status: z.enum(INTERACTION_STATUSES).describe('How it ended.'),
    outcome: z
      .enum(INTERACTION_OUTCOMES)
      .describe('How it ended: a search by its runs, a fetch by its pages.'),
    created_at: dateTimeOut.describe('When the request came.'),
    completed_at: dateTimeOut.nullable().describe('When the last run ended.'),
    metadata: freeObject().optional().describe('As it was sent. With type=full.'),
    preprocessor_runs: z.array(PreprocessorRun).optional().describe('Its runs. With type=full.'),
    postprocessor_runs: z
      .array(PostprocessorRun)
      .optional()
      .describe('Its postprocessor runs. With type=full.'),
  })
  .meta({ id: 'InteractionRecordSummary', description: 'One interaction of a session.' });
export type InteractionRecordSummary = z.output<typeof InteractionRecordSummary>;

/**
 * Present when the answer does not reach the end of the session: pass it as `after` to continue.
 */
const nextAfter = uuidOut.optional().describe('Present when there is more: pass it as `after`.');

export const SessionHistoryResponse = z
  .object({
    instance_id: z.string().describe('Which deployment answered.'),
    session_id: uuidOut.describe('Id of the session.'),
    interactions: z.array(InteractionRecordSummary).describe('Oldest first.'),
    next_after: nextAfter,
  })
  .meta({ id: 'SessionHistoryResponse', description: 'A page of the interactions of a session.' });
export type SessionHistoryResponse = z.output<typeof SessionHistoryResponse>;

export const SessionTrajectoryNode = z
  .object({
    node_id: z.string().describe('Unique among the nodes of the session.'),
    node_type: openEnum(NODE_TYPES).describe('What the node represents.'),
    entity_id: uuidOut.optional().describe('Id of what it represents, if there is one.'),
    parent_id: uuidOut.optional().describe('`entity_id` of the node above.'),
    label: z.string().describe('What it is, in a few words.'),
    data: freeObject().describe('Its facts: status, times, counts, query or URL, by its type.'),
    get children() {
      return z.array(SessionTrajectoryNode).describe('The nodes below it, oldest first.');
    },
  })
  .meta({ id: 'SessionTrajectoryNode', description: 'A node of the tree of a session.' });
export type TrajectoryNode = z.output<typeof SessionTrajectoryNode>;

export const SessionTrajectoryResponse = z
  .object({
    instance_id: z.string().describe('Which deployment answered.'),
    session_id: uuidOut.describe('Id of the session.'),
    trajectory: SessionTrajectoryNode,
    next_after: nextAfter,
  })
  .meta({ id: 'SessionTrajectoryResponse', description: 'A session as a tree.' });
export type SessionTrajectoryResponse = z.output<typeof SessionTrajectoryResponse>;
