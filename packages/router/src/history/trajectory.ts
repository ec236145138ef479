import { type JsonText, jsonText, type PartialNode, readJson } from '@trawl/base';
import {
  type FetchRow,
  isJsonObject,
  type JsonObject,
  type PostprocessorRun,
  type PreprocessorRun,
  type ResultRow,
  type TrajectoryNode,
} from '@trawl/contract';
import type { StoredInteraction, StoredSession } from '../interaction/records.ts';
import type { ReadStep } from '../interaction/store.ts';

const LABEL_MAX = 120;

type Head = Omit<TrajectoryNode, 'children'>;

/** An interaction in the tree. Its runs, which are most of the text, are written already. */
interface InteractionNode extends PartialNode<TrajectoryNode> {
  readonly head: Head;
  readonly children: InteractionNode[];
  readonly entityId: string;
  readonly trajectoryId: string;
  readonly parentTrajectoryId: string | null;
}

/**
 * The tree of a session: session → interaction → run → result. An interaction is below the one that
 * its `parent_trajectory_id` names in this session, else below the root; siblings are in time
 * order.
 */
export async function trajectoryTree(
  session: StoredSession,
  interactions: AsyncIterable<readonly StoredInteraction[]>,
  onStep: ReadStep,
): Promise<PartialNode<TrajectoryNode>> {
  const children: InteractionNode[] = [];
  const head: Head = {
    node_id: `session:${session.id}`,
    node_type: 'session',
    entity_id: session.id,
    label: `Session of ${counted(session.interactionCount, 'interaction')}`,
    data: {
      created_at: session.createdAt,
      updated_at: session.updatedAt,
      interaction_count: session.interactionCount,
    },
  };
  const nodes: InteractionNode[] = [];
  for await (const some of interactions) {
    for (const interaction of some) nodes.push(await interactionNode(interaction, onStep));
  }
  for (const [index, parent] of parentIndexes(nodes).entries()) {
    const node = nodes[index];
    if (!node) continue;
    const above = nodes[parent ?? -1];
    node.head.parent_id = above?.entityId ?? session.id;
    (above?.children ?? children).push(node);
  }
  return { head, written: [], children };
}

/**
 * Index of each interaction's parent; undefined = the root: no, unknown, foreign or cyclic parent.
 */
function parentIndexes(
  interactions: readonly Pick<InteractionNode, 'trajectoryId' | 'parentTrajectoryId'>[],
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

/**
 * Each node has at most one parent, so a walk upwards either ends or comes back to a node of the
 * same walk.
 */
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

async function interactionNode(
  interaction: StoredInteraction,
  onStep: ReadStep,
): Promise<InteractionNode> {
  const { id, preprocessorRuns, postprocessorRuns, trajectoryId, parentTrajectoryId } = interaction;
  const input = interaction.userInput && readJson(interaction.userInput);
  const written: JsonText<TrajectoryNode>[] = [];
  const write = async (node: TrajectoryNode): Promise<void> => {
    written.push(jsonText<TrajectoryNode>(node));
    // its text was counted when it was read
    await onStep(0);
  };
  for (const text of preprocessorRuns) await write(preprocessorNode(readJson(text), id));
  for (const text of postprocessorRuns) await write(postprocessorNode(readJson(text), id));
  await onStep(interaction.userInput?.length ?? 0);
  const head: Head = {
    node_id: `interaction:${id}`,
    node_type: 'interaction',
    entity_id: id,
    label: label(interaction.trajectoryGoal ?? inputLabel(input)),
    data: {
      status: interaction.status,
      created_at: interaction.createdAt,
      completed_at: interaction.completedAt,
      trajectory_id: trajectoryId,
      // on a page whose parent is on an earlier page, the tree alone does not show it
      parent_trajectory_id: parentTrajectoryId,
      user_input: input,
      preprocessor_run_count: preprocessorRuns.length,
      postprocessor_run_count: postprocessorRuns.length,
      ...lineageOf(interaction.metadata),
    },
  };
  return { head, written, children: [], entityId: id, trajectoryId, parentTrajectoryId };
}

/**
 * Which turns of a conversation came with an interaction, where a client sent some; not their text.
 */
function lineageOf(metadata: JsonText<JsonObject>): JsonObject {
  // most metadata holds none, and may be long
  if (!metadata.includes('"conversation"')) return {};
  const { conversation } = readJson(metadata);
  if (!isJsonObject(conversation) || typeof conversation.id !== 'string') return {};
  const turns = Array.isArray(conversation.turns) ? conversation.turns : [];
  const from = Number.isInteger(conversation.from) ? conversation.from : null;
  return { conversation: { id: conversation.id, from, turn_count: turns.length } };
}

function preprocessorNode(run: PreprocessorRun, parentId: string): TrajectoryNode {
  const { output_payload: output, error } = run;
  return runNode(run, parentId, {
    type: 'preprocessor_run',
    name: run.preprocessor_name,
    warnings: output?.warnings ?? error?.warnings ?? [],
    children: rowNodes(run),
  });
}

function postprocessorNode(run: PostprocessorRun, parentId: string): TrajectoryNode {
  const { output_payload: output, error } = run;
  return runNode(run, parentId, {
    type: 'postprocessor_run',
    name: run.postprocessor_name,
    warnings: output.warnings ?? error?.warnings ?? [],
    children: [],
  });
}

function runNode(
  run: PreprocessorRun | PostprocessorRun,
  parentId: string,
  own: {
    readonly type: 'preprocessor_run' | 'postprocessor_run';
    readonly name: string;
    readonly warnings: unknown;
    readonly children: TrajectoryNode[];
  },
): TrajectoryNode {
  return {
    node_id: `run:${run.id}`,
    node_type: own.type,
    entity_id: run.id,
    parent_id: parentId,
    // a fetch has no query
    label: label(run.query ? `${own.name}: ${run.query}` : own.name),
    data: {
      status: run.status,
      batch_index: run.batch_index,
      query: run.query,
      latency_ms: run.latency_ms,
      result_count: own.children.length,
      warnings: own.warnings,
      error_code: run.error?.code ?? null,
    },
    children: own.children,
  };
}

function rowNodes({ id, output_payload: output }: PreprocessorRun): TrajectoryNode[] {
  if (output === null) return [];
  if ('fetched_results' in output) {
    return output.fetched_results.map((row, index) => ({
      ...rowNode('document', row, index, id),
      data: documentData(row),
    }));
  }
  return output.results.map((row, index) => ({
    ...rowNode('result', row, index, id),
    data: { url: row.url ?? null, rank: row.rank ?? index + 1 },
  }));
}

function rowNode(
  type: 'document' | 'result',
  row: Pick<ResultRow, 'title' | 'url'>,
  index: number,
  runId: string,
): TrajectoryNode {
  return {
    node_id: `${runId}:${index}`,
    node_type: type,
    parent_id: runId,
    label: label(row.title ?? row.url ?? `row ${index + 1}`),
    data: {},
    children: [],
  };
}

/** The outcome of a page, without its text. Rows of older records may lack some of it. */
function documentData(row: Partial<FetchRow>): JsonObject {
  return {
    url: row.url,
    status: row.status,
    provider: row.provider ?? null,
    http_status: row.http_status ?? null,
    latency_ms: row.latency_ms ?? null,
    content_length: row.content_length ?? null,
    warning_codes: row.warnings?.map(({ code }) => code) ?? [],
    error_code: row.error?.code ?? null,
  };
}

function inputLabel(input: JsonObject | null): string {
  if (input === null) return 'No input';
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
