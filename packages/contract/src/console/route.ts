import type { z } from 'zod';
import type { Role } from '../vocabulary/vocabulary.ts';

/** Below it are all routes of the console. */
export const CONSOLE_API = '/console/api';

/**
 * Who may call a route: `anyone`, also signed out; a `person` who is signed in; an `operator` of
 * the deployment; or a person with at least this role in the project of the path (`{project_id}`).
 */
export type ConsoleAccess = 'anyone' | 'person' | 'operator' | Role;

/**
 * One row of the console's route table. From it come validation, the types of handlers and those of
 * the pages' calls.
 */
export interface ConsoleRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for a path parameter. */
  readonly path: `${typeof CONSOLE_API}/${string}`;
  readonly summary: string;
  readonly access: ConsoleAccess;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body has a secret: an error does not repeat what was sent. */
  readonly hasSecret?: true;
  readonly status: 200 | 204;
  readonly response: z.ZodType;
  /** What it answers instead of JSON: a file to keep, or the way to another page. */
  readonly answers?: 'file' | 'redirect';
}
