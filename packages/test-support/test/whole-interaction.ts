import type { InteractionRecord } from '@trawl/router';
import { at, interactionRecord, runRecord } from './records.ts';

/**
 * An interaction with two runs of about 20 KB each whose texts are derived from its id, so that a
 * test can check whether it is complete.
 */
export function wholeInteraction(projectId: string, sessionId: string): InteractionRecord {
  const interaction = interactionRecord({ projectId, sessionId, createdAt: at(0) });
  const runs = [0, 1].map((position) =>
    runRecord(runText(interaction.id, position), { position, name: `provider ${position}` }),
  );
  const titles = Array.from({ length: 20 }, (_, index) => ({
    url: `https://example.com/${interaction.id}/${index % 2}/${index >> 1}`,
    title: `Harbour cranes, their makers and their years: ${interaction.id} ${index}`,
  }));
  return { ...interaction, runs, titles };
}

export function runText(interactionId: string, position: number): string {
  const results = Array.from({ length: 10 }, (_, rank) => ({
    url: `https://example.com/${interactionId}/${position}/${rank}`,
    excerpt: `${interactionId} ${rank} `.repeat(45),
  }));
  return JSON.stringify({ interactionId, position, results });
}
