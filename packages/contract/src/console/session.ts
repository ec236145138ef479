import { z } from 'zod';
import { dateTimeOut, uuidOut } from '../schemas/json.ts';
import { ROLES } from '../vocabulary/vocabulary.ts';
import type { ConsoleRoute } from './route.ts';

export const ConsoleProject = z.object({
  id: uuidOut,
  name: z.string(),
  /** The person's own role in it. */
  role: z.enum(ROLES),
});
export type ConsoleProject = z.output<typeof ConsoleProject>;

export const ConsolePerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  is_operator: z.boolean(),
});
export type ConsolePerson = z.output<typeof ConsolePerson>;

/** Who is signed in, and what that person may see. */
export const ConsoleSession = z.object({
  person: ConsolePerson,
  expires_at: dateTimeOut,
  /** By name. */
  projects: z.array(ConsoleProject),
  server: z.object({
    version: z.string(),
    /** The address that clients use, as in commands to copy. */
    base_url: z.string(),
  }),
});
export type ConsoleSession = z.output<typeof ConsoleSession>;

export const SESSION_ROUTES = {
  readSession: {
    method: 'GET',
    path: '/console/api/session',
    summary: 'Who is signed in',
    access: 'person',
    status: 200,
    response: ConsoleSession,
  },
} as const satisfies Record<string, ConsoleRoute>;
