import { once } from 'node:events';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { counted, note } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { parseJson } from '@trawl/contract';
import { createEvidence, EVIDENCE_FORMAT } from './evidence-lines.ts';
import { pagePart } from './evidence-page.ts';
import { sessionOf } from './named.ts';

/**
 * `trawl evidence export`: one interaction in memory at a time. A file whose export failed lacks
 * its last line, so a check refuses it.
 */
export const exportEvidence = (
  environment: Environment,
  named: string,
  flags: CommonFlags & { readonly html?: boolean },
) =>
  runWithKey(environment, flags, async (context) => {
    const { client, err, signal } = context;
    const session = await sessionOf(context, named);
    const evidence = createEvidence();
    const shown = (line: string) => (flags.html ? pagePart(line) : `${line}\n`);
    const { instance_id } = await client.sessionHistory(session, { limit: 1 }, { signal });
    const query = { session_id: session, include: 'summary' } as const;
    const { sessions } = await client.listSessions(query, { signal });
    const deleted = sessions[0]?.summary?.deleted_interactions ?? 0;
    const head = evidence.line({
      kind: 'head',
      format: EVIDENCE_FORMAT,
      instance_id,
      session_id: session,
      exported_at: new Date().toISOString(),
      deleted_interactions: deleted,
    });
    await write(shown(head));
    let interactions = 0;
    for await (const { id } of client.history(session, {}, { signal })) {
      const text = await client.readInteractionText(
        { session_id: session, interaction_id: id },
        { signal },
      );
      const line = evidence.line({ kind: 'interaction', interaction: parseJson(text) });
      interactions += 1;
      await write(shown(line));
    }
    const end = evidence.line({ kind: 'end', interactions });
    await write(shown(end));
    if (deleted > 0) {
      note(
        `${counted(deleted, 'interaction')} of the session had been deleted before this export\n`,
      );
    }
    if (err.isTerminal) {
      note(`${counted(interactions, 'interaction')}, final hash ${evidence.hash()}\n`);
    }
    return EXIT.ok;
  });

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
