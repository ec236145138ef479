import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { HISTORY_TYPES, INTERACTION_STATUSES, NODE_TYPES } from '../vocabulary.ts';
import { PostprocessorRun, PreprocessorRun } from './interaction.ts';
import { dateTimeOut, freeObject, optional, uuid, uuidOut } from './json.ts';

export const InteractionQuery = z.object({ session_id: uuid, interaction_id: uuid });

const pageSize = (max: number) => z.int().min(1).max(max);

export const SessionsQuery = z
  .object({
    limit: optional(pageSize(LIMITS.sessionsMax)).describe('50 when absent.'),
    before: optional(z.iso.datetime({ offset: true })).describe(
      'Only sessions whose newest interaction is older: pass the last `latest_interaction_at` to page on.',
    ),
    before_id: optional(uuid).describe(
      'With `before`: of the sessions at that very time, those whose id comes after this one as well.',
    ),
  })
  .refine(({ before, before_id }) => before_id === undefined || before !== undefined, {
    path: ['before_id'],
    message:
      'before_id goes with before: send the latest_interaction_at and the id of the last session',
  });

export const SessionPath = z.object({ session_id: uuid });

const page = {
  limit: optional(pageSize(LIMITS.historyMax)).describe('All when absent.'),
  after: optional(uuid).describe('Only interactions after this one.'),
};
export const HistoryQuery = z.object({
  type: optional(z.enum(HISTORY_TYPES)).describe('`short` when absent.'),
  ...page,
});
export const TrajectoryQuery = z.object(page);

export const Session = z
  .object({
    id: uuidOut,
    created_at: dateTimeOut,
    updated_at: dateTimeOut,
    interaction_count: z.int(),
    latest_interaction_at: dateTimeOut,
  })
  .meta({ id: 'Session' });
export const SessionsResponse = z
  .object({ sessions: z.array(Session) })
  .meta({ id: 'SessionsResponse' });
export type SessionsResponse = z.output<typeof SessionsResponse>;

export const InteractionRecordSummary = z
  .object({
    id: uuidOut,
    session_id: uuidOut,
    user_input: freeObject().nullable(),
    status: z.enum(INTERACTION_STATUSES),
    created_at: dateTimeOut,
    completed_at: dateTimeOut.nullable(),
    metadata: freeObject().optional().describe('With type=full.'),
    preprocessor_runs: z.array(PreprocessorRun).optional().describe('With type=full.'),
    postprocessor_runs: z.array(PostprocessorRun).optional().describe('With type=full.'),
  })
  .meta({ id: 'InteractionRecordSummary' });

/** Present when the answer does not reach the end of the session: pass it as `after` to go on. */
const nextAfter = uuidOut.optional().describe('Present when there is more: pass it as `after`.');

export const SessionHistoryResponse = z
  .object({
    instance_id: z.string(),
    session_id: uuidOut,
    interactions: z.array(InteractionRecordSummary),
    next_after: nextAfter,
  })
  .meta({ id: 'SessionHistoryResponse' });

export interface TrajectoryNode {
  node_id: string;
  node_type: (typeof NODE_TYPES)[number];
  entity_id?: string | undefined;
  /** The `entity_id` of the node above, which always has one. */
  parent_id?: string | undefined;
  label: string;
  data: Record<string, unknown>;
  children: TrajectoryNode[];
}

export const SessionTrajectoryNode = z
  .object({
    node_id: z.string(),
    node_type: z.enum(NODE_TYPES),
    entity_id: uuidOut.optional(),
    parent_id: uuidOut.optional().describe('`entity_id` of the node above.'),
    label: z.string(),
    data: freeObject(),
    get children() {
      return z.array(SessionTrajectoryNode);
    },
  })
  .meta({ id: 'SessionTrajectoryNode' });

export const SessionTrajectoryResponse = z
  .object({
    instance_id: z.string(),
    session_id: uuidOut,
    trajectory: SessionTrajectoryNode,
    next_after: nextAfter,
  })
  .meta({ id: 'SessionTrajectoryResponse' });
export interface SessionTrajectoryResponse {
  instance_id: string;
  session_id: string;
  trajectory: TrajectoryNode;
  next_after?: string;
}
