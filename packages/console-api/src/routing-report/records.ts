import { DAY_MS, isoTime } from '@trawl/base';
import type { Store, TimeSpan } from '@trawl/store';

export const lastDays = (now: number, days: number): TimeSpan => ({
  from: isoTime(now - days * DAY_MS),
  to: isoTime(now),
});

/** The ids of the one project, or of all. @throws Error where no project has the name */
export async function projectIds(
  { keys }: Pick<Store, 'keys'>,
  name: string | undefined,
): Promise<readonly string[]> {
  const all = await keys.listProjects();
  const meant = name === undefined ? all : all.filter((project) => project.name === name);
  if (name !== undefined && meant.length === 0) {
    throw new Error(`no project is called ${name}; see: trawl projects list`);
  }
  return meant.map(({ id }) => id);
}
