import { includesRole, isRole, type Role } from '@trawl/contract';
import type { ConsoleAccess } from '@trawl/contract/console';
import { RequestError } from '@trawl/router';
import type { BranchRequest } from '@trawl/server';
import { type Person, roleIn, type SessionReader } from './person.ts';

export interface Admitted {
  readonly person: Person | null;
  readonly role: Role | null;
}

export interface AdmitOptions {
  readonly sessionOf: SessionReader;
  /** The address of the console where it is not that of the request, as behind a proxy. */
  readonly publicUrl: string | undefined;
  /** Whether there is such a project: an operator has a role in every one. */
  readonly projectExists: (projectId: string) => Promise<boolean>;
  /** Called before a change is refused because a role is too low. */
  readonly onRefused: (refused: Refused) => Promise<void>;
}

export interface Refused {
  readonly person: Person;
  /** null = it is about the whole deployment. */
  readonly projectId: string | null;
  readonly reason: string;
  readonly branch: BranchRequest;
}

/** Decides whether a request may call a route. @throws RequestError 401, 403 or 404 */
export type Admit = (branch: BranchRequest, access: ConsoleAccess) => Promise<Admitted>;

/**
 * The order: the page that sent it (403), the session (401), the project (404), the role (403). An
 * API key is never looked at.
 */
export function createAdmit(options: AdmitOptions): Admit {
  const { sessionOf, publicUrl } = options;
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return async (branch, access) => {
    const { request } = branch;
    if (!isRead(request)) checkOrigin(request, publicOrigin);
    const person = await sessionOf(request.headers);
    if (access === 'anyone') return { person, role: null };
    if (!person) throw new RequestError(401, 'Sign in to the console first');
    if (isRole(access)) return { person, role: await projectRole(person, access, branch, options) };
    if (access === 'operator' && !person.isOperator) {
      const reason = 'This needs an operator of the deployment';
      await refuse({ person, projectId: null, reason, branch }, options);
    }
    return { person, role: null };
  };
}

async function projectRole(
  person: Person,
  needed: Role,
  branch: BranchRequest,
  options: AdmitOptions,
): Promise<Role> {
  const projectId = (branch.params.project_id ?? '').toLowerCase();
  const role = roleIn(person, projectId);
  if (role === null || !(await options.projectExists(projectId))) throw unknownProject();
  if (!includesRole(role, needed)) {
    const reason = `This needs ${withArticle(needed)} of the project; you are ${withArticle(role)}`;
    await refuse({ person, projectId, reason, branch }, options);
  }
  return role;
}

async function refuse(refused: Refused, { onRefused }: AdmitOptions): Promise<never> {
  if (!isRead(refused.branch.request)) await onRefused(refused);
  throw new RequestError(403, refused.reason);
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Browsers send the origin of the page with everything that changes something. */
function checkOrigin(request: Request, publicOrigin: string | undefined): void {
  const origin = request.headers.get('origin');
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const own = [`http://${host}`, `https://${host}`, publicOrigin];
  if (origin !== null && own.includes(origin)) return;
  throw new RequestError(
    403,
    'This request did not come from a page of this console: its Origin header is missing or foreign',
  );
}

const unknownProject = () =>
  new RequestError(404, 'Project not found: it does not exist, or you are not a member of it');

const withArticle = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
