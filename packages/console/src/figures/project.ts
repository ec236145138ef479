import type { Role } from '@trawl/contract/vocabulary';
import { isAllowed } from '../api/session.ts';
import { useProject } from '../shell/use-project.ts';

/** The project of the page. */
export const useProjectId = (): string => useProject().id;

/** Whether the person has at least this role in the project of the page. */
export const useIsAllowed = (needed: Role): boolean => isAllowed(useProject(), needed);
