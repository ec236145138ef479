import { useParams } from '@tanstack/react-router';
import { type Project, projectOf, useSession } from '@trawl/console-parts/api/session.ts';

/** The project of the address, with the person's role in it. Only for pages of a project. */
export function useProject(): Project {
  const { project: id = '' } = useParams({ strict: false });
  const project = projectOf(useSession(), id);
  // the router answers «not found» before it shows such a page
  if (!project) throw new Error(`no project ${id}`);
  return project;
}
