import { includesRole, PERMISSIONS, type Permission, type Role } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';
import type { ApiAs, BranchRequest } from '@trawl/server';
import type { Admit } from './admit.ts';

/** The least role that has each permission of an API key. */
const ROLE_FOR: Readonly<Record<Permission, Role>> = {
  read: 'viewer',
  search: 'member',
  fetch: 'member',
  manage: 'admin',
};

export interface PassThroughOptions {
  readonly admit: Admit;
  readonly api: ApiAs;
  /** The hidden key of a project, under which is recorded what people run in the console. */
  readonly consoleKey: (projectId: string) => Promise<ApiKey>;
}

/**
 * Answers `/console/api/projects/{project_id}/v1/…` with the answer of `/v1/…`, as the project's hidden key with the permissions of
 * the person's role.
 */
export function createPassThrough({ admit, api, consoleKey }: PassThroughOptions) {
  return async (rest: string, branch: BranchRequest): Promise<Response> => {
    const { role } = await admit(branch, 'viewer');
    if (role === null || !rest.startsWith('/v1/')) throw new RequestError(404, 'Not Found');
    const { project_id: projectId = '' } = branch.params;
    const key = await consoleKey(projectId.toLowerCase());
    const permissions = PERMISSIONS.filter((name) => includesRole(role, ROLE_FOR[name]));
    return api(passedOn(branch, rest), { ...key, permissions });
  };
}

/** Headers that mean something to the API. The cookie of the session is none of them. */
const PASSED_HEADERS = ['accept', 'content-type', 'content-encoding', 'idempotency-key'] as const;

function passedOn({ request, requestId }: BranchRequest, rest: string): Request {
  const headers = new Headers({ 'x-request-id': requestId });
  for (const name of PASSED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { origin, search } = new URL(request.url);
  const { method, body, signal } = request;
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
  return new Request(`${origin}${rest}${search}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body, duplex: 'half' } : {}),
  });
}
