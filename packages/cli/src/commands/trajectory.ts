import type { SessionTrajectoryNode } from '@trawl/client';
import { type CommonFlags, runWithKey, wholeNumber } from '@trawl/client/terminal/command';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { type Environment, oneLine, type Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { sessionOf } from '../client/named.ts';
import { API_JSON } from '../program/flags.ts';

/** `trawl trajectory` */
export function addTrajectory(program: Command, environment: Environment): void {
  program
    .command('trajectory <session>')
    .description('a session as a tree of interactions, runs and results')
    .option('--limit <n>', 'show at most this many interactions; all when absent')
    .option('--after <interaction>', 'start after this interaction')
    .option('--json', API_JSON)
    .action((session: string, flags) => showTrajectory(environment, session, flags));
}

interface TrajectoryFlags extends CommonFlags {
  readonly limit?: string;
  readonly after?: string;
}

/** `trawl trajectory`: a session as a tree. */
const showTrajectory = (environment: Environment, session: string, flags: TrajectoryFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, out, signal } = context;
    const sessionId = await sessionOf(context, session);
    const limit = flags.limit === undefined ? undefined : wholeNumber('--limit', flags.limit);
    const query = { limit, after: flags.after };
    const answer = await client.sessionTrajectory(sessionId, query, { signal });
    if (flags.json) {
      printJson(answer);
      return 0;
    }
    print(treeText(answer.trajectory, out));
    if (answer.next_after) note(`more follows: add --after ${answer.next_after}\n`);
    return 0;
  });

/** Deeper branches are drawn at the same indent: a chain of interactions may be long. */
const INDENT_MAX = 48;

interface PendingNode {
  readonly node: SessionTrajectoryNode;
  readonly indent: string;
  readonly isLast: boolean;
}

/** Without recursion: a long chain of interactions would overflow the stack. */
function treeText(root: SessionTrajectoryNode, style: Style): string {
  const lines = [nodeText(root, style)];
  const open: PendingNode[] = openChildren(root, '');
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { node, indent, isLast } = item;
    lines.push(`${style.dim(`${indent}${isLast ? '└─ ' : '├─ '}`)}${nodeText(node, style)}`);
    const deeper = indent.length < INDENT_MAX ? `${indent}${isLast ? '   ' : '│  '}` : indent;
    for (const child of openChildren(node, deeper)) open.push(child);
  }
  return `${lines.join('\n')}\n`;
}

const openChildren = ({ children }: SessionTrajectoryNode, indent: string): PendingNode[] =>
  children
    .map((node, index) => ({ node, indent, isLast: index === children.length - 1 }))
    .reverse();

function nodeText(
  { node_type: type, label, data, entity_id: id }: SessionTrajectoryNode,
  style: Style,
): string {
  const status = typeof data.status === 'string' ? data.status : undefined;
  const facts = [
    ...(status && status !== 'succeeded' ? [style.bad(status)] : []),
    ...(typeof data.latency_ms === 'number' ? [`${data.latency_ms} ms`] : []),
    ...(typeof data.error_code === 'string' ? [style.bad(data.error_code)] : []),
    ...(typeof data.url === 'string' ? [style.dim(oneLine(data.url))] : []),
    ...(type === 'session' || type === 'interaction' ? [style.dim(id ?? '')] : []),
  ];
  const name =
    type === 'result' || type === 'document' ? oneLine(label) : style.bold(oneLine(label));
  return [`${style.dim(TYPE_NAMES[type] ?? type)} ${name}`, ...facts].join('  ');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  preprocessor_run: 'run',
  postprocessor_run: 'postprocessing',
  document: 'page',
};
