import type { InteractionReader, StoredInteraction } from '@trawl/router';

/** A recorded interaction of a project, whatever its session; undefined = absent. */
export async function recordedInteraction(
  reader: Pick<InteractionReader, 'sessionOf' | 'interaction'>,
  projectId: string,
  id: string,
): Promise<StoredInteraction | undefined> {
  const sessionId = await reader.sessionOf(projectId, id);
  if (sessionId === undefined) return undefined;
  return reader.interaction(projectId, sessionId, id);
}
