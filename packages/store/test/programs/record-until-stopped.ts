import { randomUUID } from 'node:crypto';
import { wholeInteraction } from '@trawl/test-support/whole-interaction';
import { openStore } from '../../src/opening/open-store.ts';
import { printLine, programArguments } from './arguments.ts';

/**
 * Records as fast as it can until it is killed or a write is refused. Prints `committed ID` and
 * `refused ID`, and at last `readable` with the number of sessions.
 */
const { store: options, projectId, atOnce = 1 } = programArguments();
const store = await openStore({
  ...options,
  databaseUrl: options.databaseUrl,
  workerUrl: new URL(options.workerUrl),
});
const sessionIds = Array.from({ length: 5 }, () => randomUUID());
let refused = false;

async function recordInSession(index: number): Promise<void> {
  const sessionId = sessionIds[index % sessionIds.length] ?? '';
  while (!refused) {
    const interaction = wholeInteraction(projectId, sessionId);
    try {
      await store.recorder.record(interaction);
      printLine(`committed ${interaction.id}`);
    } catch {
      refused = true;
      printLine(`refused ${interaction.id}`);
    }
  }
}

await Promise.all(Array.from({ length: atOnce }, (_, index) => recordInSession(index)));
const sessions = await store.reader.sessions(projectId, { limit: 10, before: undefined });
printLine(`readable ${sessions.length}`);
await store.close();
