import { z } from 'zod';
import { CONSOLE_API, type ConsoleRoute } from './route.ts';

/** The result of sending an alert; `sending` stays where the process ended meanwhile. */
export const ALERT_STATES = ['sending', 'delivered', 'failed'] as const;

/** One alert that was posted to the operator's webhook. */
export const SentAlert = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  created_at: z.string(),
  message: z.string(),
  state: z.enum(ALERT_STATES),
  tries: z.int(),
  /** Why the last try failed. */
  problem: z.string().nullable(),
});
export type SentAlert = z.output<typeof SentAlert>;

export const SentAlerts = z.object({
  /** Whether the server has a webhook. */
  is_set: z.boolean(),
  /** Newest first. */
  alerts: z.array(SentAlert),
});
export type SentAlerts = z.output<typeof SentAlerts>;

/** How posting a test alert ended. */
export const AlertTest = z.object({
  ok: z.boolean(),
  tries: z.int(),
  problem: z.string().nullable(),
});
export type AlertTest = z.output<typeof AlertTest>;

export const ALERT_ROUTES = {
  listAlerts: {
    method: 'GET',
    path: `${CONSOLE_API}/alerts`,
    summary: 'The latest alerts by webhook, and the result of them',
    access: 'operator',
    status: 200,
    response: SentAlerts,
  },
  testAlerts: {
    method: 'POST',
    path: `${CONSOLE_API}/alerts/test`,
    summary: 'Posts a test alert to the webhook; 404 where none is set',
    access: 'operator',
    status: 200,
    response: AlertTest,
  },
} as const satisfies Record<string, ConsoleRoute>;
