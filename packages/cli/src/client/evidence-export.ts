import { once } from 'node:events';
import type { Environment } from '../program/style.ts';
import { type CommonFlags, runWithKey } from './command.ts';
import { createEvidence, EVIDENCE_FORMAT } from './evidence-lines.ts';
import { evidencePage } from './evidence-page.ts';
import { EXIT } from './exit-codes.ts';
import { counted, note } from './output.ts';

/**
 * `trawl evidence export`: one interaction in memory at a time. A file whose export failed lacks
 * its last line, so a check refuses it.
 */
export const exportEvidence = (
  environment: Environment,
  session: string,
  flags: CommonFlags & { readonly html?: boolean },
) =>
  runWithKey(environment, flags, async ({ client, err, signal }) => {
    const evidence = createEvidence();
    const { instance_id } = await client.sessionHistory(session, { limit: 1 }, { signal });
    const head = evidence.line({
      kind: 'head',
      format: EVIDENCE_FORMAT,
      instance_id,
      session_id: session,
      exported_at: new Date().toISOString(),
    });
    await write(flags.html ? evidencePage.head(head) : `${head}\n`);
    let interactions = 0;
    for await (const { id } of client.history(session, {}, { signal })) {
      const interaction = await client.readInteraction(
        { session_id: session, interaction_id: id },
        { signal },
      );
      const line = evidence.line({ kind: 'interaction', interaction });
      interactions += 1;
      await write(flags.html ? evidencePage.interaction(line, interaction) : `${line}\n`);
    }
    const end = evidence.line({ kind: 'end', interactions });
    await write(flags.html ? evidencePage.end(end, evidence.hash()) : `${end}\n`);
    if (err.isTerminal) {
      note(`${counted(interactions, 'interaction')}, final hash ${evidence.hash()}\n`);
    }
    return EXIT.ok;
  });

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
