import type { RouteExamples } from './example.ts';
import { ID, TIME } from './ids.ts';

const PROJECT = {
  id: ID.project,
  name: 'support bot',
  created_at: TIME.began,
  rate_limit: 600,
  monthly_budget_usd: 50,
  retention_days: null,
  web_rules: { hosts: { deny: ['example.net'] }, secrets: 'refuse' },
  mcp_login: 'members',
  mcp_login_budget_usd: 2,
};
const NEW_PROJECT = { name: PROJECT.name, rate_limit: 600, monthly_budget_usd: 50 };

const KEY = {
  id: ID.key,
  project_id: ID.project,
  name: 'production',
  last_four: 'x7Qe',
  permissions: ['search', 'fetch'],
  created_at: TIME.began,
  expires_at: '2030-01-01T00:00:00.000Z',
  revoked_at: null,
  disabled: false,
  replaces: null,
  rate_limit: 120,
  monthly_budget_usd: 20,
  allowed_providers: ['exa', 'brave'],
  no_training: false,
  replay_session: null,
  allowed_domains: null,
  profile: { search: { tier: 'minimalist' } },
  login_client: null,
};
/** Not a key of any server. */
const SECRET = 'tk_0000000000000000000000000000000000000000000';

const answer = (summary: string, value: unknown): RouteExamples => ({
  answer: { example: { summary, value } },
});

export const LIST_PROJECTS = answer('One project', { projects: [PROJECT] });
export const ONE_PROJECT = answer('A project', PROJECT);
export const CREATE_PROJECT: RouteExamples = {
  ...ONE_PROJECT,
  request: { limited: { summary: 'With limits', value: NEW_PROJECT } },
};
export const CHANGE_PROJECT: RouteExamples = {
  ...ONE_PROJECT,
  request: { budget: { summary: 'Another budget', value: { monthly_budget_usd: 50 } } },
};

export const LIST_KEYS = answer('One key, and there are more', {
  keys: [KEY],
  next_after: ID.key,
});
export const ONE_KEY = answer('A key', KEY);
export const CREATE_KEY: RouteExamples = {
  ...answer('The key with its secret', { ...KEY, secret: SECRET }),
  request: {
    narrow: {
      summary: 'Two providers, a budget and an end',
      value: {
        project_id: ID.project,
        name: KEY.name,
        permissions: KEY.permissions,
        expires_at: KEY.expires_at,
        rate_limit: 120,
        monthly_budget_usd: 20,
        allowed_providers: KEY.allowed_providers,
        profile: KEY.profile,
      },
    },
  },
};
export const CHANGE_KEY: RouteExamples = {
  ...answer('The key as it is now', { ...KEY, disabled: true }),
  request: { disable: { summary: 'Disable it', value: { disabled: true } } },
};
export const ROTATE_KEY: RouteExamples = {
  ...answer('The new key', {
    ...KEY,
    id: ID.newKey,
    created_at: TIME.ended,
    replaces: ID.key,
    secret: SECRET,
    old_expires_at: '2026-03-02T10:14:09.215Z',
  }),
  request: { hour: { summary: 'The old key ends in an hour', value: { grace: '1h' } } },
};

export const LIST_MEMBERS = answer('One person', {
  members: [
    {
      id: 'Vb2kQ9sXw4',
      name: 'Ada',
      email: 'ada@example.com',
      is_operator: false,
      created_at: TIME.began,
      last_seen_at: null,
      projects: [{ project_id: ID.project, role: 'admin' }],
    },
  ],
});
