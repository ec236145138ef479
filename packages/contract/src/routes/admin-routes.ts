import { z } from 'zod';
import {
  AdminKey,
  AdminKeyChange,
  AdminProject,
  IssuedAdminKey,
  KeyPath,
  KeyRotation,
  KeysQuery,
  KeysResponse,
  MembersQuery,
  MembersResponse,
  NewAdminKey,
  NewProject,
  ProjectChange,
  ProjectPath,
  ProjectsQuery,
  ProjectsResponse,
  RotatedAdminKey,
} from '../schemas/admin.ts';
import type { Route } from './routes.ts';

/** Below it are all routes of the operator API. */
export const ADMIN_API = '/v1/admin';

const shared = {
  tag: 'Administration',
  permission: 'admin',
  errors: 'detail',
  status: 200,
} as const;
const deleted = { ...shared, status: 204, response: z.undefined() } as const;

/** The operator API: projects, keys and people of the whole deployment. */
export const ADMIN_ROUTES = {
  listProjects: {
    ...shared,
    method: 'GET',
    path: '/v1/admin/projects',
    summary: 'List projects',
    description: 'Lists the projects of the deployment, or with `name` the one of that name.',
    query: ProjectsQuery,
    response: ProjectsResponse,
  },
  createProject: {
    ...shared,
    method: 'POST',
    path: '/v1/admin/projects',
    summary: 'Make a project',
    description:
      'A name that another project has is a 400 whose `hint` names the id of that project, so a repetition makes no second one.',
    body: NewProject,
    bodyForm: '{"name": …}',
    response: AdminProject,
  },
  readProject: {
    ...shared,
    method: 'GET',
    path: '/v1/admin/projects/{project_id}',
    summary: 'Read one project',
    description: 'Answers the project as it is now.',
    params: ProjectPath,
    response: AdminProject,
  },
  changeProject: {
    ...shared,
    method: 'PATCH',
    path: '/v1/admin/projects/{project_id}',
    summary: 'Rename a project, or change its limits',
    description: 'Sets what is named and answers the project as it is then.',
    params: ProjectPath,
    body: ProjectChange,
    bodyForm: '{"monthly_budget_usd": …}',
    response: AdminProject,
  },
  deleteProject: {
    ...deleted,
    method: 'DELETE',
    path: '/v1/admin/projects/{project_id}',
    summary: 'Delete a project that is empty',
    description:
      'A project with keys or recorded sessions is a 400: delete those first. Its costs stay in the ledger, its roles and invitations end, and its name is free again.',
    params: ProjectPath,
    hasDependents: true,
  },
  listKeys: {
    ...shared,
    method: 'GET',
    path: '/v1/admin/keys',
    summary: 'List keys',
    description: 'Lists keys without their secrets, of one project or of all.',
    query: KeysQuery,
    response: KeysResponse,
  },
  createKey: {
    ...shared,
    method: 'POST',
    path: '/v1/admin/keys',
    summary: 'Make a key',
    description:
      'The answer has the secret, which is stored nowhere: a repetition cannot answer it again and makes another key. The permission `admin` cannot be granted here.',
    body: NewAdminKey,
    bodyForm: '{"project_id": …, "name": …, "permissions": ["search"]}',
    response: IssuedAdminKey,
  },
  readKey: {
    ...shared,
    method: 'GET',
    path: '/v1/admin/keys/{key_id}',
    summary: 'Read one key',
    description: 'Answers the key without its secret.',
    params: KeyPath,
    response: AdminKey,
  },
  changeKey: {
    ...shared,
    method: 'PATCH',
    path: '/v1/admin/keys/{key_id}',
    summary: 'Change the settings of a key, or disable or enable it',
    description:
      'Sets what is named and answers the key as it is then. A key with the permission `admin` is a 403.',
    params: KeyPath,
    body: AdminKeyChange,
    bodyForm: '{"disabled": true}',
    response: AdminKey,
  },
  deleteKey: {
    ...deleted,
    method: 'DELETE',
    path: '/v1/admin/keys/{key_id}',
    summary: 'End a key for good',
    description: 'Its usage stays. A key with the permission `admin` is a 403.',
    params: KeyPath,
  },
  rotateKey: {
    ...shared,
    method: 'POST',
    path: '/v1/admin/keys/{key_id}/rotate',
    summary: 'Replace a key by a new one with the same settings',
    description:
      'The answer has the secret of the new key, once. A key that was rotated before is a 400, so a repetition makes no third one. A key with the permission `admin` is a 403.',
    params: KeyPath,
    body: KeyRotation,
    bodyForm: '{"grace": "1h"}',
    response: RotatedAdminKey,
  },
  listMembers: {
    ...shared,
    method: 'GET',
    path: '/v1/admin/members',
    summary: 'List the people of the console',
    description:
      'Lists people with their roles. Read only: people are invited and removed in the console.',
    query: MembersQuery,
    response: MembersResponse,
  },
} as const satisfies Record<string, Route>;
