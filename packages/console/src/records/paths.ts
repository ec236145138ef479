/** The end of an id, which differs more than its beginning: ids begin with the time. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

export const sessionPath = (project: string, session: string): string =>
  `/p/${project}/sessions/${session}`;

export const interactionPath = (project: string, session: string, interaction: string): string =>
  `${sessionPath(project, session)}/${interaction}`;

/** Where two interactions are compared, the earlier one first. */
export const diffPath = (project: string, session: string, before: string, after: string): string =>
  `${interactionPath(project, session, before)}/diff/${after}`;

/** The address of a page, for links that the router does not make. */
export const href = (path: string): string => `/console${path}`;
