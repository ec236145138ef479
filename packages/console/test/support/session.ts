import type { ConsoleSession } from '@trawl/contract/console';

export const RESEARCH = '0198c0de-0000-7000-8000-000000000001';
export const SUPPORT = '0198c0de-0000-7000-8000-000000000002';

/** An answer of `GET /console/api/session`, for tests of the shell. */
export const madeUpSession = (change: Partial<ConsoleSession> = {}): ConsoleSession => ({
  person: { id: 'person-1', name: 'Ada Lovelace', email: 'ada@example.com', is_operator: false },
  expires_at: '2027-01-01T00:00:00.000Z',
  projects: [
    { id: RESEARCH, name: 'Research', role: 'owner' },
    { id: SUPPORT, name: 'Support bot', role: 'viewer' },
  ],
  server: { version: '0.0.0-test', base_url: 'https://trawl.example' },
  ...change,
});
