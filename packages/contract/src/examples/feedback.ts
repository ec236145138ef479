import type { Example, RouteExamples } from './example.ts';
import { ID, TIME } from './ids.ts';
import { PAGE } from './search.ts';

const said: Example = {
  summary: 'One row was used',
  value: {
    session_id: ID.session,
    interaction_id: ID.interaction,
    results: [
      {
        run_id: ID.run,
        batch_index: 0,
        provider: 'exa',
        rank: 1,
        url: PAGE,
        verdict: 'used',
        user_id: 'ada',
        note: null,
        created_at: TIME.ended,
      },
    ],
  },
};

export const GIVE_FEEDBACK: RouteExamples = {
  request: {
    used: {
      summary: 'One row was used',
      value: { results: [{ url: PAGE, verdict: 'used' }], user_id: 'ada' },
    },
  },
  answer: { said },
};

export const READ_FEEDBACK: RouteExamples = { answer: { said } };
