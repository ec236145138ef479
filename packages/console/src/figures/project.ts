import { useParams } from '@tanstack/react-router';
import type { Role } from '@trawl/contract/vocabulary';
import { isAllowed, projectOf, useSession } from '../api/session.ts';

/** The project of the page. */
export const useProjectId = (): string => useParams({ strict: false }).project ?? '';

/** Whether the person has at least this role in the project of the page. */
export function useIsAllowed(needed: Role): boolean {
  const session = useSession();
  return isAllowed(session, projectOf(session, useProjectId()), needed);
}
