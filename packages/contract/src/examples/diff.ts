import type { RouteExamples } from './example.ts';
import { ID, PROVIDER, TIME } from './ids.ts';
import { QUERY } from './search.ts';

const URL_OF_ROW = 'https://marine-energy.example.com/guides/tidal-power';
const TITLE = 'Tidal power: a practical guide';

export const DIFF: RouteExamples = {
  answer: {
    replay: {
      summary: 'A search and its replay',
      value: {
        before: { interaction_id: ID.interaction, session_id: ID.session, created_at: TIME.began },
        after: { interaction_id: ID.trajectory, session_id: ID.session, created_at: TIME.ended },
        queries: [
          {
            batch_index: 0,
            before: QUERY,
            after: QUERY,
            runs: [
              {
                provider: PROVIDER,
                before: side(ID.run, 412),
                after: side(ID.secondRun, 388),
                added: [{ url: `${URL_OF_ROW}/costs`, title: 'What tidal power costs', rank: 1 }],
                gone: [{ url: `${URL_OF_ROW}/old`, title: 'Tidal power in 2019', rank: 2 }],
                moved: [{ url: URL_OF_ROW, title: TITLE, from: 1, to: 2 }],
                changed: [{ url: URL_OF_ROW, rank: 2, texts: ['summary'], title: null }],
                same: 0,
              },
            ],
          },
        ],
      },
    },
  },
};

function side(runId: string, latencyMs: number) {
  return {
    run_id: runId,
    status: 'succeeded',
    error_code: null,
    rows: 2,
    latency_ms: latencyMs,
    cost_usd: 0.007,
  };
}
