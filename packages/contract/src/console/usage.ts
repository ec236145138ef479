import { z } from 'zod';
import { dateTimeOut, uuidOut } from '../schemas/json.ts';
import { ProjectPath } from './projects.ts';
import { SpanQuery } from './providers.ts';
import type { ConsoleRoute } from './route.ts';

/** What was spent this month, and where it leads. */
const monthly = {
  /** null = no budget. */
  budget_usd: z.number().nullable(),
  /** Known costs of the month so far. */
  spent_usd: z.number(),
  /** At the end of the month, if the rate of the last seven days goes on. */
  projected_usd: z.number(),
};

/** A key that calls are booked to. One that was deleted keeps its name. */
export const SpendingKey = z.object({
  key_id: z.string(),
  name: z.string(),
  state: z.enum(['active', 'disabled', 'revoked', 'expired', 'deleted', 'console']),
  ...monthly,
});
export type SpendingKey = z.output<typeof SpendingKey>;

export const Spending = z.object({
  /** The UTC month. */
  from: dateTimeOut,
  to: dateTimeOut,
  ...monthly,
  /** Calls of the month whose cost is not known: the figures leave them out. */
  unpriced_calls: z.int(),
  /** By name. */
  keys: z.array(SpendingKey),
});
export type Spending = z.output<typeof Spending>;

export const ProjectUsage = z.object({
  project_id: uuidOut,
  name: z.string(),
  calls: z.int(),
  unpriced_calls: z.int(),
  cost_usd: z.number().nullable(),
});
export type ProjectUsage = z.output<typeof ProjectUsage>;

export const USAGE_ROUTES = {
  readSpending: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/spending',
    summary: 'Budgets of the month with their projection, and the names of keys',
    access: 'viewer',
    params: ProjectPath,
    status: 200,
    response: Spending,
  },
  listProjectUsage: {
    method: 'GET',
    path: '/console/api/usage',
    summary: 'Calls and cost of each project of the person',
    access: 'person',
    query: SpanQuery,
    status: 200,
    response: z.object({ from: dateTimeOut, to: dateTimeOut, rows: z.array(ProjectUsage) }),
  },
} as const satisfies Record<string, ConsoleRoute>;
