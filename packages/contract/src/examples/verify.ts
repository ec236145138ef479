import type { RouteExamples } from './example.ts';
import { ID, TIME } from './ids.ts';
import { PAGE } from './search.ts';

const QUOTE = 'two turbines supply 1,200 homes';

const NOTHING = {
  distance: null,
  interaction_id: null,
  run_id: null,
  row: null,
  url: null,
  field: null,
  offset: null,
  passage: null,
  retrieved_at: null,
  publish_date: null,
  content_sha256: null,
};

export const VERIFY: RouteExamples = {
  request: {
    quotes: {
      summary: 'Two quotes, one of them with its source',
      value: {
        session_id: ID.session,
        quotes: [{ text: QUOTE, url: PAGE }, { text: 'tidal power is free of charge' }],
      },
    },
  },
  answer: {
    verified: {
      summary: 'One was found, one was not',
      value: {
        session_id: ID.session,
        quotes: [
          {
            status: 'normalized',
            distance: 0,
            interaction_id: ID.interaction,
            run_id: ID.run,
            row: 1,
            url: PAGE,
            field: 'content',
            offset: 1_840,
            passage: 'two turbines\nsupply 1,200 homes',
            retrieved_at: TIME.ended,
            publish_date: '2025-11-04',
            content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          },
          { status: 'not_found', ...NOTHING },
        ],
        interactions: 2,
        texts: 31,
        deleted_interactions: 0,
      },
    },
  },
};
