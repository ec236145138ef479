/**
 * Who takes turns: a key of a project. Projects take turns, and the keys of one share its turns, so
 * that no project gets more by more keys.
 */
export const callerIdOf = ({ projectId, keyId }: { projectId: string; keyId: string }): string =>
  `${projectId}/${keyId}`;

/** The project of such an id; any other id takes its own turns. */
export const projectOfCaller = (callerId: string): string => callerId.split('/', 1)[0] ?? '';
