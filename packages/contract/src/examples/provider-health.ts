import type { RouteExamples } from './example.ts';
import { ID, TIME } from './ids.ts';

export const PROVIDER_HEALTH: RouteExamples = {
  answer: {
    example: {
      summary: 'It finds nothing any more',
      value: {
        provider: 'exa',
        state: 'ill',
        since: TIME.began,
        reasons: [
          {
            measure: 'empty',
            field: null,
            message:
              'of its last 60 answers 93 % had no rows, and 4 % of those before; where all others found nothing either, an answer does not count',
            recent: 0.93,
            before: 0.04,
            worse: 0.89,
            threshold: 0.8,
            is_bad: true,
            answers: 60,
          },
        ],
        example_interaction_ids: [ID.interaction],
      },
    },
  },
};
