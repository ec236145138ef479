import { useParams } from '@tanstack/react-router';
import { includesRole, type Role } from '@trawl/contract/vocabulary';
import { projectOf, useSession } from '../api/session.ts';

/** The project of the page. */
export const useProjectId = (): string => useParams({ strict: false }).project ?? '';

/** Whether the person has at least this role in the project of the page. */
export function useIsAllowed(needed: Role): boolean {
  const project = projectOf(useSession(), useProjectId());
  return project !== undefined && includesRole(project.role, needed);
}
