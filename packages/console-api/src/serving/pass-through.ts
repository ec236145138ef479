import { ADMIN_API, includesRole, PERMISSIONS, type Permission, type Role } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';
import type { ApiAs, BranchRequest } from '@trawl/server';
import type { Admit } from './admit.ts';
import type { Person } from './person.ts';

/** The least role that has each permission of an API key. */
const ROLE_FOR: Readonly<Record<Permission, Role>> = {
  read: 'viewer',
  search: 'member',
  fetch: 'member',
  manage: 'admin',
};

/**
 * Names the key of the project that makes the request instead of the hidden one: a watch belongs to
 * a key. Only for people who may make keys themselves.
 */
const AS_KEY = 'as_key';

export interface PassThroughOptions {
  readonly admit: Admit;
  readonly api: ApiAs;
  /** The hidden key of a project, under which is recorded what people run in the console. */
  readonly consoleKey: (projectId: string) => Promise<ApiKey>;
  /** A key of a project that can be used. @throws RequestError 404 */
  readonly ownKey: (projectId: string, keyId: string) => Promise<ApiKey>;
  /** Called after something that was recorded has been deleted. */
  readonly onDeleted: (deleted: Deleted) => Promise<void>;
}

export interface Deleted {
  readonly person: Person;
  readonly projectId: string;
  /** Such as `/v1/sessions/…`. */
  readonly path: string;
  readonly branch: BranchRequest;
}

/**
 * Answers `/console/api/projects/{project_id}/v1/…` with the answer of `/v1/…`, as the project's
 * hidden key with the permissions of the person's role.
 */
export function createPassThrough(options: PassThroughOptions) {
  const { admit, api, consoleKey, ownKey, onDeleted } = options;
  return async (rest: string, branch: BranchRequest): Promise<Response> => {
    const isAsKey = new URL(branch.request.url).searchParams.has(AS_KEY);
    const { person, role } = await admit(branch, isAsKey ? 'admin' : 'viewer');
    const isPassed = rest.startsWith('/v1/') && !rest.startsWith(`${ADMIN_API}/`);
    if (!person || !role || !isPassed) throw new RequestError(404, 'Not Found');
    const projectId = (branch.params.project_id ?? '').toLowerCase();
    const named = new URL(branch.request.url).searchParams.get(AS_KEY);
    const key = named === null ? await consoleKey(projectId) : await ownKey(projectId, named);
    const allowed = PERMISSIONS.filter((name) => includesRole(role, ROLE_FOR[name]));
    // what is not of the key itself is of the person alone
    const permissions = allowed.filter(
      (name) => name === 'manage' || named === null || key.permissions.includes(name),
    );
    const response = await api(passedOn(branch, rest), { ...key, permissions });
    if (branch.request.method === 'DELETE' && response.ok) {
      await onDeleted({ person, projectId, path: rest, branch });
    }
    return response;
  };
}

/** Headers that mean something to the API. The cookie of the session is not one of them. */
const PASSED_HEADERS = ['accept', 'content-type', 'content-encoding', 'idempotency-key'] as const;

function passedOn({ request, requestId }: BranchRequest, rest: string): Request {
  const headers = new Headers({ 'x-request-id': requestId });
  for (const name of PASSED_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { origin, searchParams } = new URL(request.url);
  searchParams.delete(AS_KEY);
  const search = searchParams.size > 0 ? `?${searchParams}` : '';
  const { method, body, signal } = request;
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
  return new Request(`${origin}${rest}${search}`, {
    method,
    headers,
    signal,
    ...(hasBody ? { body, duplex: 'half' } : {}),
  });
}
