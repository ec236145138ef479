import type { RouteExamples, RouteId } from '@trawl/contract';

const TIME = '2026-03-02T09:14:07.872Z';
const id = (number: number): string => `019a7b1c-52e0-7000-9000-00000000000${number}`;

const answer = (summary: string, value: unknown): RouteExamples => ({
  answer: { example: { summary, value } },
});

const ILL = answer('It finds nothing any more', {
  provider: 'exa',
  state: 'ill',
  since: TIME,
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
  example_interaction_ids: [id(1)],
});
const UP = answer('Up', { status: 'ok' });
const NOTHING: RouteExamples = { answer: {} };

/**
 * What the sandbox does not lead to: a provider that became worse, news of the web, people of the
 * console, and a server that goes down. The document itself would be too long.
 */
export const NOT_RECORDED: Partial<Record<RouteId, RouteExamples>> = {
  providerHealth: ILL,
  resetProviderHealth: ILL,
  watchNews: answer('A new result, and there is more', {
    watch_id: id(2),
    news: [
      {
        sequence: 1,
        kind: 'result',
        url: 'https://marine-energy.example.com/news/second-turbine',
        title: 'A second turbine for the bay',
        provider: 'exa',
        batch_index: 0,
        content_sha256: null,
        interaction_id: id(1),
        first_seen_at: TIME,
      },
    ],
    next_after: '1',
  }),
  listMembers: answer('One person', {
    members: [
      {
        id: 'Vb2kQ9sXw4',
        name: 'Ada',
        email: 'ada@example.com',
        is_operator: false,
        created_at: TIME,
        last_seen_at: null,
        projects: [{ project_id: id(3), role: 'admin' }],
      },
    ],
  }),
  health: UP,
  readiness: {
    ...UP,
    unavailable: {
      stopping: {
        summary: 'Going down',
        value: { status: 'unavailable', detail: 'the server is stopping' },
      },
      store: {
        summary: 'The store does not answer',
        value: { status: 'unavailable', detail: 'the store does not answer' },
      },
    },
  },
  openapi: answer('Its beginning', {
    openapi: '3.1.0',
    info: { title: 'trawl', version: '0.1.0' },
  }),
  deleteSession: NOTHING,
  deleteWatch: NOTHING,
  deleteProject: NOTHING,
  deleteKey: NOTHING,
};
