import type { RouteExamples } from './example.ts';
import { ID, TIME } from './ids.ts';
import { PAGE, SEARCH_ANSWER, SEARCH_RUN, SEARCH_TEXT } from './search.ts';

const QUERY = SEARCH_RUN.query;

const RECORD = {
  id: ID.interaction,
  session_id: ID.session,
  user_input: { query: QUERY },
  status: 'succeeded',
  outcome: 'succeeded',
  created_at: TIME.began,
  completed_at: TIME.ended,
};

const HISTORY = { instance_id: ID.deployment, session_id: ID.session };

export const READ: RouteExamples = {
  text: SEARCH_TEXT,
  answer: {
    search: {
      summary: 'A search',
      value: { ...SEARCH_ANSWER, user_input: { query: QUERY }, metadata: {} },
    },
  },
};

export const SESSIONS: RouteExamples = {
  answer: {
    sessions: {
      summary: 'Two sessions',
      value: {
        sessions: [
          {
            id: ID.session,
            created_at: TIME.began,
            updated_at: TIME.ended,
            interaction_count: 1,
            latest_interaction_at: TIME.began,
          },
          {
            id: ID.olderSession,
            created_at: '2026-03-01T16:40:00.000Z',
            updated_at: '2026-03-01T16:52:31.402Z',
            interaction_count: 4,
            latest_interaction_at: '2026-03-01T16:52:29.118Z',
          },
        ],
      },
    },
  },
};

export const SESSION_HISTORY: RouteExamples = {
  answer: {
    short: {
      summary: 'A first page',
      value: { ...HISTORY, interactions: [RECORD], next_after: ID.interaction },
    },
    full: {
      summary: 'With type=full',
      value: {
        ...HISTORY,
        interactions: [
          { ...RECORD, metadata: {}, preprocessor_runs: [SEARCH_RUN], postprocessor_runs: [] },
        ],
      },
    },
  },
};

const resultNode = {
  node_id: `${ID.run}:0`,
  node_type: 'result',
  parent_id: ID.run,
  label: 'Tidal power: a practical guide',
  data: { url: PAGE, rank: 1 },
  children: [],
};

const runNode = {
  node_id: `run:${ID.run}`,
  node_type: 'preprocessor_run',
  entity_id: ID.run,
  parent_id: ID.interaction,
  label: `${SEARCH_RUN.preprocessor_name}: ${QUERY}`,
  data: {
    status: 'succeeded',
    batch_index: 0,
    query: QUERY,
    latency_ms: SEARCH_RUN.latency_ms,
    result_count: 1,
    warnings: [],
    error_code: null,
  },
  children: [resultNode],
};

const interactionNode = {
  node_id: `interaction:${ID.interaction}`,
  node_type: 'interaction',
  entity_id: ID.interaction,
  parent_id: ID.session,
  label: QUERY,
  data: {
    status: 'succeeded',
    created_at: TIME.began,
    completed_at: TIME.ended,
    trajectory_id: ID.trajectory,
    parent_trajectory_id: null,
    user_input: { query: QUERY },
    preprocessor_run_count: 1,
    postprocessor_run_count: 0,
  },
  children: [runNode],
};

export const SESSION_TRAJECTORY: RouteExamples = {
  answer: {
    tree: {
      summary: 'One search with one row',
      value: {
        ...HISTORY,
        trajectory: {
          node_id: `session:${ID.session}`,
          node_type: 'session',
          entity_id: ID.session,
          label: 'Session of 1 interaction',
          data: { created_at: TIME.began, updated_at: TIME.ended, interaction_count: 1 },
          children: [interactionNode],
        },
      },
    },
  },
};
