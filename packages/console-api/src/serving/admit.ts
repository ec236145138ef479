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
}

/** Decides whether a request may call a route. @throws RequestError 401, 403 or 404 */
export type Admit = (branch: BranchRequest, access: ConsoleAccess) => Promise<Admitted>;

/**
 * The order: the page that sent it (403), the session (401), the project (404), the role (403). An API key is never looked at.
 */
export function createAdmit({ sessionOf, publicUrl, projectExists }: AdmitOptions): Admit {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return async ({ request, params }, access) => {
    if (!isRead(request)) checkOrigin(request, publicOrigin);
    if (access === 'anyone') return { person: await sessionOf(request.headers), role: null };
    const person = await sessionOf(request.headers);
    if (!person) throw new RequestError(401, 'Sign in to the console first');
    if (!isRole(access)) {
      if (access === 'operator' && !person.isOperator) throw tooLow('an operator');
      return { person, role: null };
    }
    const { project_id: projectId = '' } = params;
    const role = roleIn(person, projectId.toLowerCase());
    if (role === null || !(await projectExists(projectId.toLowerCase()))) throw unknownProject();
    if (!includesRole(role, access)) throw tooLow(`${article(access)} ${access}`, role);
    return { person, role };
  };
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

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a');

const tooLow = (needed: string, role?: Role): RequestError =>
  new RequestError(
    403,
    role
      ? `This needs ${needed} of the project; you are ${article(role)} ${role}`
      : `This needs ${needed} of the deployment`,
  );
