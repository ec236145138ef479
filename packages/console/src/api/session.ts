import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { includesRole, type Role } from '@trawl/contract/vocabulary';
import { type AnswerOf, call } from './call.ts';

export type SignedIn = AnswerOf<'GET /console/api/session'>;
export type OwnProject = SignedIn['projects'][number];

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('GET /console/api/session', { signal }),
  staleTime: 60_000,
  // it may have ended while the person was elsewhere
  refetchOnWindowFocus: 'always',
});

/** Who is signed in. Only for pages behind the sign-in. */
export const useSession = (): SignedIn => useSuspenseQuery(sessionQuery).data;

/** The session if there is one in memory, for parts that are also shown to strangers. */
export const useKnownSession = (): SignedIn | undefined =>
  useQuery({ ...sessionQuery, enabled: false }).data;

/**
 * A project of the person; undefined for one that does not exist, or that the person may not see.
 */
export const projectOf = (session: SignedIn, id: string): OwnProject | undefined =>
  session.projects.find((project) => project.id === id);

/** Whether a person may do what needs this role. An operator is an owner of every project. */
export const isAllowed = (
  session: SignedIn,
  project: OwnProject | undefined,
  needed: Role,
): boolean =>
  session.person.is_operator || (project !== undefined && includesRole(project.role, needed));

/** The project of the page. */
export const useProjectId = (): string => useParams({ strict: false }).project ?? '';

/** Whether the person has at least this role in the project of the page. */
export function useIsAllowed(needed: Role): boolean {
  const project = projectOf(useSession(), useProjectId());
  return project !== undefined && includesRole(project.role, needed);
}

/** What the page of a signed-out person needs to know. */
export type SignInState = AnswerOf<'GET /console/api/state'>;

export const stateQuery = queryOptions({
  queryKey: ['state'],
  queryFn: ({ signal }) => call('GET /console/api/state', { signal }),
  staleTime: 60_000,
});
