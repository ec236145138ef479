import { z } from 'zod';
import { projectSettings } from '../schemas/access-settings.ts';
import { AdminMember, AdminProject, ProjectChange } from '../schemas/admin.ts';
import { dateTimeOut, uuid } from '../schemas/json.ts';
import { CONSOLE_LIMITS } from '../vocabulary/limits.ts';
import { ROLES } from '../vocabulary/vocabulary.ts';
import { emailAddress } from './account.ts';
import type { ConsoleRoute } from './route.ts';

export const ProjectPath = z.object({ project_id: uuid });

/** A project as the operator API answers it, with its use. */
export const ProjectEntry = AdminProject.extend({
  role: z.enum(ROLES),
  key_count: z.int(),
  member_count: z.int(),
  /** Of this month, known costs. */
  spent_usd: z.number(),
  /** Upstream calls of the last 24 hours. */
  calls_24h: z.int(),
  last_activity_at: dateTimeOut.nullable(),
});
export type ProjectEntry = z.output<typeof ProjectEntry>;

/** A person as the operator API answers it, as a member of one project. */
export const Member = AdminMember.omit({ created_at: true, projects: true }).extend({
  role: z.enum(ROLES),
  signs_in_with: z.enum(['password', 'single_sign_on', 'both', 'none']),
  joined_at: dateTimeOut,
});
export type Member = z.output<typeof Member>;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  invited_by: z.string().nullable(),
  created_at: dateTimeOut,
  expires_at: dateTimeOut,
  is_expired: z.boolean(),
});
export type Invitation = z.output<typeof Invitation>;

/** The link is in this answer only: the deployment keeps a digest of its token. */
export const InvitationLink = z.object({
  id: z.string(),
  link: z.string(),
  expires_at: dateTimeOut,
});

const MemberPath = ProjectPath.extend({
  user_id: z.string().max(CONSOLE_LIMITS.tokenCharacters),
});
const InvitationPath = ProjectPath.extend({
  invitation_id: z.string().max(CONSOLE_LIMITS.tokenCharacters),
});

const nothing = z.undefined();

export const PROJECT_ROUTES = {
  listProjects: {
    method: 'GET',
    path: '/console/api/projects',
    summary: 'The projects of the person, by name',
    access: 'person',
    status: 200,
    response: z.object({ projects: z.array(ProjectEntry) }),
  },
  createProject: {
    method: 'POST',
    path: '/console/api/projects',
    summary: 'Make a project',
    access: 'operator',
    body: z.object({ name: projectSettings.name }),
    status: 200,
    response: AdminProject,
  },
  readProject: {
    method: 'GET',
    path: '/console/api/projects/{project_id}',
    summary: 'One project',
    access: 'viewer',
    params: ProjectPath,
    status: 200,
    response: ProjectEntry,
  },
  changeProject: {
    method: 'PATCH',
    path: '/console/api/projects/{project_id}',
    summary: 'Rename a project (owner), or change its limits',
    access: 'admin',
    params: ProjectPath,
    body: ProjectChange.omit({ retention_days: true }),
    status: 204,
    response: nothing,
  },
  listMembers: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/members',
    summary: 'Members of a project and open invitations',
    access: 'viewer',
    params: ProjectPath,
    status: 200,
    response: z.object({ members: z.array(Member), invitations: z.array(Invitation) }),
  },
  invite: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/invitations',
    summary: 'Make a link that invites a person',
    access: 'admin',
    params: ProjectPath,
    body: z.object({ email: emailAddress, role: z.enum(ROLES) }),
    status: 200,
    response: InvitationLink,
  },
  renewInvitation: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/invitations/{invitation_id}/renew',
    summary: 'Replace the link of an invitation',
    access: 'admin',
    params: InvitationPath,
    status: 200,
    response: InvitationLink,
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/console/api/projects/{project_id}/invitations/{invitation_id}',
    summary: 'Revoke an invitation',
    access: 'admin',
    params: InvitationPath,
    status: 204,
    response: nothing,
  },
  changeMember: {
    method: 'PATCH',
    path: '/console/api/projects/{project_id}/members/{user_id}',
    summary: 'Change the role of a member',
    access: 'admin',
    params: MemberPath,
    body: z.object({ role: z.enum(ROLES) }),
    status: 204,
    response: nothing,
  },
  removeMember: {
    method: 'DELETE',
    path: '/console/api/projects/{project_id}/members/{user_id}',
    summary: 'Remove a member',
    access: 'admin',
    params: MemberPath,
    status: 204,
    response: nothing,
  },
  makePasswordLink: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/members/{user_id}/password-link',
    summary: 'Make a link with which a member sets a new password',
    access: 'admin',
    params: MemberPath,
    status: 200,
    response: InvitationLink.omit({ id: true }),
  },
} as const satisfies Record<string, ConsoleRoute>;
