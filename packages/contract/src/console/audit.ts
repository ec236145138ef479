import { z } from 'zod';
import { dateTimeOut, freeObject, optional } from '../schemas/json.ts';
import { CONSOLE_LIMITS } from '../vocabulary/limits.ts';
import { AUDIT_ACTORS, AUDIT_OUTCOMES } from '../vocabulary/vocabulary.ts';
import { ProjectPath } from './projects.ts';
import type { ConsoleRoute } from './route.ts';

/** Who did what. Entries are only added. */
export const AuditEntry = z.object({
  id: z.string(),
  created_at: dateTimeOut,
  actor: z.object({
    kind: z.enum(AUDIT_ACTORS),
    id: z.string().nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
  }),
  /** Such as `key.create`. */
  action: z.string(),
  target: z.object({
    kind: z.string().nullable(),
    id: z.string().nullable(),
    name: z.string().nullable(),
  }),
  outcome: z.enum(AUDIT_OUTCOMES),
  /** Why it was refused. */
  reason: z.string().nullable(),
  /** What changed, without secrets. */
  detail: freeObject().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const filterText = optional(z.string().min(1).max(CONSOLE_LIMITS.nameCharacters));

const AuditFilters = z.object({
  action: filterText.describe('This action, or those that begin with it and a dot: `key`.'),
  actor: filterText.describe('Id, or a part of the name or e-mail.'),
  target: filterText.describe('Id, or a part of the name.'),
  outcome: optional(z.enum(AUDIT_OUTCOMES)),
  from: optional(z.iso.datetime({ offset: true })),
  to: optional(z.iso.datetime({ offset: true })),
});

const AuditQuery = AuditFilters.extend({
  limit: optional(z.int().min(1).max(CONSOLE_LIMITS.auditPage)),
  before: optional(z.string().max(CONSOLE_LIMITS.tokenCharacters)).describe(
    '`next` of the page before.',
  ),
});
export const AuditPage = z.object({
  /** Newest first. */
  entries: z.array(AuditEntry),
  /** Send it as `before` for the next page; null at the end. */
  next: z.string().nullable(),
});
export type AuditPage = z.output<typeof AuditPage>;
const file = z.undefined();

export const AUDIT_ROUTES = {
  listAudit: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/audit',
    summary: 'What was done in a project, and what was refused',
    access: 'admin',
    params: ProjectPath,
    query: AuditQuery,
    status: 200,
    response: AuditPage,
  },
  exportAudit: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/audit/export',
    summary: 'The same as lines of JSON',
    access: 'admin',
    params: ProjectPath,
    query: AuditFilters,
    status: 200,
    response: file,
    answers: 'file',
  },
  listDeploymentAudit: {
    method: 'GET',
    path: '/console/api/audit',
    summary: 'What was done in the whole deployment, sign-ins included',
    access: 'operator',
    query: AuditQuery,
    status: 200,
    response: AuditPage,
  },
  exportDeploymentAudit: {
    method: 'GET',
    path: '/console/api/audit/export',
    summary: 'The same as lines of JSON',
    access: 'operator',
    query: AuditFilters,
    status: 200,
    response: file,
    answers: 'file',
  },
} as const satisfies Record<string, ConsoleRoute>;
