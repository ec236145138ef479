import { outcomeOfStatus } from '@trawl/contract';
import type { OpenDatabase } from '@trawl/database';
import {
  createGroupWriter,
  INTERACTION_COLUMNS,
  type RecordRows,
  recordItem,
  type Value,
} from '@trawl/store';
import { type InteractionLine, storedJson } from './lines.ts';

/** Limits of one transaction, because a server that runs waits for it. */
const INTERACTIONS_AT_ONCE = 16;
const CHARACTERS_AT_ONCE = 1_000_000;

export interface InteractionWriter {
  /** Writes it with the next ones. @throws Error that names the line */
  add(interaction: InteractionLine, lineNumber: number): Promise<void>;
  /** Writes what waits. */
  flush(): Promise<void>;
  readonly counts: { readonly added: number; readonly present: number };
}

interface Waiting {
  readonly interaction: InteractionLine;
  readonly lineNumber: number;
}

export function createInteractionWriter(
  database: OpenDatabase,
  projectId: string,
): InteractionWriter {
  const counts = { added: 0, present: 0 };
  let waiting: Waiting[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    characters = 0;
    if (group.length === 0) return;
    const added = await writeGroup(database, projectId, group);
    counts.added += added;
    counts.present += group.length - added;
  };
  return {
    counts,
    flush,
    add: async (interaction, lineNumber) => {
      waiting.push({ interaction, lineNumber });
      characters += JSON.stringify(interaction.runs).length;
      if (waiting.length >= INTERACTIONS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await flush();
    },
  };
}

/** How many of them were new. Feedback is added to interactions that were there, too. */
async function writeGroup(
  database: OpenDatabase,
  projectId: string,
  group: readonly Waiting[],
): Promise<number> {
  const { db } = database;
  const ids = group.map(({ interaction }) => interaction.id);
  const known = await db
    .selectFrom('interactions')
    .select(['id', 'project_id'])
    .where('id', 'in', ids)
    .execute();
  const projectOf = new Map(known.map((row) => [row.id, row.project_id]));
  for (const { interaction, lineNumber } of group) {
    const owner = projectOf.get(interaction.id) ?? projectId;
    if (owner !== projectId) throw taken(lineNumber, `interaction ${interaction.id}`);
  }
  const first = new Map(group.toReversed().map((one) => [one.interaction.id, one]));
  const fresh = group
    .filter((one) => !projectOf.has(one.interaction.id) && first.get(one.interaction.id) === one)
    .map((one) => ({ ...one, item: recordItem(recordRows(one.interaction, projectId)) }));
  const stored = await createGroupWriter(database)(fresh.map(({ item }) => item));
  for (const { item, lineNumber, interaction } of fresh) {
    if (!stored.has(item)) throw taken(lineNumber, `session ${interaction.session_id}`);
  }
  const feedback = group.flatMap(({ interaction }) =>
    interaction.feedback.map((row) => ({ interaction_id: interaction.id, ...row })),
  );
  if (feedback.length > 0) {
    await db
      .insertInto('feedback')
      .values(feedback)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return fresh.length;
}

/** Only when another import or a server wrote it after the lines were checked. */
const taken = (lineNumber: number, what: string): Error =>
  new Error(
    `line ${lineNumber}: another project of this database has taken ${what} meanwhile; the lines before it are imported`,
  );

/** As the recorder writes them: the row of the session follows from its interactions. */
function recordRows(line: InteractionLine, projectId: string): RecordRows {
  const { id, session_id: sessionId, created_at: createdAt, completed_at: completedAt } = line;
  const columns: Readonly<Record<string, Value>> = {
    ...plainColumns(line),
    outcome: line.outcome ?? outcomeOfStatus(line.status),
    project_id: projectId,
    user_input: storedJson(line.user_input, line.user_input_text),
    metadata: storedJson(line.metadata, line.metadata_text) ?? '{}',
    routing: storedJson(line.routing, line.routing_text),
    request: storedJson(line.request, line.request_text),
    titles: storedJson(line.titles, line.titles_text),
  };
  const { repeat } = line;
  return {
    session: { interactionId: id, id: sessionId, projectId, createdAt, completedAt },
    interaction: INTERACTION_COLUMNS.map((column) => columns[column] ?? null),
    runs: line.runs.map((run) => [
      ...([id, run.kind, run.position, run.id, run.name] as const),
      storedJson(run.body, run.body_text) ?? 'null',
    ]),
    // fingerprints are under the key of one deployment: what is imported answers no other run
    answers: [],
    counted: [],
    ledger: [],
    repeat: repeat && [
      repeat.key_id,
      repeat.idempotency_key,
      repeat.body_digest,
      id,
      repeat.created_at,
    ],
    repeatLeaseId: null,
    budgetLeaseId: null,
  };
}

function plainColumns(line: InteractionLine): Readonly<Record<string, Value>> {
  const plain = Object.entries(line).filter(
    (entry): entry is [string, Value] => entry[1] === null || typeof entry[1] !== 'object',
  );
  return Object.fromEntries(plain);
}
