import { isJsonObject, type JsonObject, type TrajectoryNode } from '@trawl/contract';
import type { StoredInteraction, StoredSession } from '../interaction/records.ts';

const LABEL_MAX = 120;

/**
 * The tree of a session: session → interaction → run → result. An interaction hangs below the one its
 * `parent_trajectory_id` names in this session, else below the root; siblings stand in time order.
 */
export function trajectoryTree(
  session: StoredSession,
  interactions: readonly StoredInteraction[],
): TrajectoryNode {
  const root: TrajectoryNode = {
    node_id: `session:${session.id}`,
    node_type: 'session',
    entity_id: session.id,
    label: `Session of ${counted(session.interactionCount, 'interaction')}`,
    data: {
      created_at: session.createdAt,
      updated_at: session.updatedAt,
      interaction_count: session.interactionCount,
    },
    children: [],
  };
  const nodes = interactions.map((interaction) => interactionNode(interaction));
  const parents = parentIndexes(interactions);
  for (const [index, node] of nodes.entries()) {
    const parent = nodes[parents[index] ?? -1] ?? root;
    node.parent_id = parent.entity_id;
    parent.children.push(node);
  }
  return root;
}

/** Index of each interaction's parent; undefined = the root: no, unknown, foreign or cyclic parent. */
function parentIndexes(
  interactions: readonly StoredInteraction[],
): readonly (number | undefined)[] {
  const firstOf = new Map<string, number>();
  for (const [index, { trajectoryId }] of interactions.entries()) {
    if (!firstOf.has(trajectoryId)) firstOf.set(trajectoryId, index);
  }
  const named = interactions.map(({ parentTrajectoryId }, index) => {
    const parent = parentTrajectoryId === null ? undefined : firstOf.get(parentTrajectoryId);
    return parent === index ? undefined : parent;
  });
  const cyclic = membersOfCycles(named);
  return named.map((parent, index) => (cyclic.has(index) ? undefined : parent));
}

/** Each node has at most one parent, so a walk upwards either ends or comes back to a node of the same walk. */
function membersOfCycles(parents: readonly (number | undefined)[]): ReadonlySet<number> {
  const walkOf = new Map<number, number>();
  const members = new Set<number>();
  for (const start of parents.keys()) {
    let at: number | undefined = start;
    while (at !== undefined && !walkOf.has(at)) {
      walkOf.set(at, start);
      at = parents[at];
    }
    if (at === undefined || walkOf.get(at) !== start) continue;
    for (let member: number | undefined = at; member !== undefined && !members.has(member); ) {
      members.add(member);
      member = parents[member];
    }
  }
  return members;
}

function interactionNode(interaction: StoredInteraction): TrajectoryNode {
  const input: unknown = interaction.userInput === null ? null : JSON.parse(interaction.userInput);
  const run = (type: 'preprocessor_run' | 'postprocessor_run') => (text: string) =>
    runNode(JSON.parse(text) as JsonObject, type, interaction.id);
  return {
    node_id: `interaction:${interaction.id}`,
    node_type: 'interaction',
    entity_id: interaction.id,
    label: label(interaction.trajectoryGoal ?? inputLabel(input)),
    data: {
      status: interaction.status,
      created_at: interaction.createdAt,
      completed_at: interaction.completedAt,
      trajectory_id: interaction.trajectoryId,
      // on a page whose parent is on an earlier page, the tree alone does not show it
      parent_trajectory_id: interaction.parentTrajectoryId,
      user_input: input,
      preprocessor_run_count: interaction.preprocessorRuns.length,
      postprocessor_run_count: interaction.postprocessorRuns.length,
      ...lineageOf(interaction.metadata),
    },
    children: [
      ...interaction.preprocessorRuns.map(run('preprocessor_run')),
      ...interaction.postprocessorRuns.map(run('postprocessor_run')),
    ],
  };
}

/** Which turns of a conversation came with an interaction, where a client sent some; not their text. */
function lineageOf(metadata: string): JsonObject {
  // most metadata holds none, and may be long
  if (!metadata.includes('"conversation"')) return {};
  const { conversation } = JSON.parse(metadata) as JsonObject;
  if (!isJsonObject(conversation) || typeof conversation.id !== 'string') return {};
  const turns = Array.isArray(conversation.turns) ? conversation.turns : [];
  const from = Number.isInteger(conversation.from) ? conversation.from : null;
  return { conversation: { id: conversation.id, from, turn_count: turns.length } };
}

function runNode(
  run: JsonObject,
  type: 'preprocessor_run' | 'postprocessor_run',
  parentId: string,
): TrajectoryNode {
  const id = String(run.id);
  const output = isJsonObject(run.output_payload) ? run.output_payload : {};
  const error = isJsonObject(run.error) ? run.error : {};
  const rows = type === 'preprocessor_run' ? rowsOf(output) : [];
  return {
    node_id: `run:${id}`,
    node_type: type,
    entity_id: id,
    parent_id: parentId,
    label: label(runLabel(run)),
    data: {
      status: run.status,
      batch_index: run.batch_index,
      query: run.query,
      latency_ms: run.latency_ms,
      result_count: rows.length,
      warnings: output.warnings ?? error.warnings ?? [],
      error_code: error.code ?? null,
    },
    children: rows.map((row, index) => rowNode(row, index, id, run.preprocessor_name)),
  };
}

const rowsOf = (output: JsonObject): readonly JsonObject[] => {
  const rows = output.results ?? output.fetched_results;
  return Array.isArray(rows) ? rows.filter(isJsonObject) : [];
};

function rowNode(row: JsonObject, index: number, runId: string, runName: unknown): TrajectoryNode {
  const isDocument = runName === 'web_fetch';
  return {
    node_id: `${runId}:${index}`,
    node_type: isDocument ? 'document' : 'result',
    parent_id: runId,
    label: label(String(row.title ?? row.url ?? `row ${index + 1}`)),
    data: isDocument ? documentData(row) : { url: row.url ?? null, rank: row.rank ?? index + 1 },
    children: [],
  };
}

/** What became of a page, without its text. */
function documentData(row: JsonObject): JsonObject {
  const warnings = Array.isArray(row.warnings) ? row.warnings.filter(isJsonObject) : [];
  const error = isJsonObject(row.error) ? row.error : {};
  return {
    url: row.url,
    status: row.status,
    provider: row.provider ?? null,
    http_status: row.http_status ?? null,
    latency_ms: row.latency_ms ?? null,
    content_length: row.content_length ?? null,
    warning_codes: warnings.map(({ code }) => code),
    error_code: error.code ?? null,
  };
}

/** A fetch has no query. */
function runLabel(run: JsonObject): string {
  const name = String(run.preprocessor_name ?? run.postprocessor_name);
  return run.query ? `${name}: ${run.query}` : name;
}

function inputLabel(input: unknown): string {
  if (!isJsonObject(input)) return 'No input';
  if (typeof input.query === 'string') return input.query;
  if (Array.isArray(input.queries))
    return `${input.queries.length} ${input.queries.length === 1 ? 'query' : 'queries'}`;
  return Array.isArray(input.urls) ? counted(input.urls.length, 'page') : 'Input';
}

const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`;

function label(text: string): string {
  const points = [...text];
  return points.length <= LABEL_MAX ? text : `${points.slice(0, LABEL_MAX - 1).join('')}…`;
}

/**
 * The tree's JSON text. Written without recursion: a chain of some thousand interactions, each the parent of the
 * next, overflows the stack of JSON.stringify.
 */
export function trajectoryText(root: TrajectoryNode): string {
  const pieces: string[] = [];
  const open: (TrajectoryNode | string)[] = [root];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === 'string') {
      pieces.push(item);
      continue;
    }
    const { children, ...head } = item;
    pieces.push(`${JSON.stringify(head).slice(0, -1)},"children":[`);
    open.push(']}');
    for (const [index, child] of [...children.entries()].reverse()) {
      open.push(child);
      if (index > 0) open.push(',');
    }
  }
  return pieces.join('');
}
