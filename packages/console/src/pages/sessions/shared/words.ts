/** `1 page`, `3 pages`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** The end of an id, which differs more than its beginning: ids begin with the time. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const sessionPath = (project: string, session: string): string =>
  `/p/${project}/sessions/${session}`;

export const interactionPath = (project: string, session: string, interaction: string): string =>
  `${sessionPath(project, session)}/${interaction}`;

/** The address of a page, for links that the router does not make. */
export const href = (path: string): string => `/console${path}`;
