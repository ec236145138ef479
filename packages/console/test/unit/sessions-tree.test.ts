import type { TrajectoryNode } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  ancestors,
  findNodes,
  joinPages,
  type Tree,
  treeRows,
} from '../../src/pages/session/trajectory-tree.ts';

const START = Date.UTC(2026, 2, 2);
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

interface Step {
  readonly id: string;
  readonly parent?: string;
  readonly from?: number;
  readonly to?: number | null;
  readonly children?: TrajectoryNode[];
}

const step = ({ id, parent, from = 0, to = from + 1, children = [] }: Step): TrajectoryNode => ({
  node_id: `interaction:${id}`,
  node_type: 'interaction',
  label: `step ${id}`,
  data: {
    status: 'succeeded',
    created_at: at(from),
    completed_at: to === null ? null : at(to),
    trajectory_id: id,
    parent_trajectory_id: parent ?? null,
  },
  children,
});
const run = (id: string, latency: number | null): TrajectoryNode => ({
  node_id: `run:${id}`,
  node_type: 'preprocessor_run',
  label: `exa: ${id}`,
  data: { latency_ms: latency },
  children: [],
});
const session = (children: TrajectoryNode[]): TrajectoryNode => ({
  node_id: 'session:s',
  node_type: 'session',
  label: 'Session',
  data: {},
  children,
});
const shown = (tree: Tree, isOpen = () => true) =>
  treeRows(tree, isOpen).map(({ node, level }) => `${level} ${node.label}`);

describe('the tree of a session', () => {
  test('pages become one tree, with each step below the one it follows', () => {
    const tree = joinPages([
      session([step({ id: 'a', children: [run('r', 5)] }), step({ id: 'b' })]),
      session([step({ id: 'c', parent: 'a', children: [step({ id: 'd', parent: 'c' })] })]),
      session([step({ id: 'e', parent: 'unknown' }), step({ id: 'f', parent: 'd' })]),
    ]);
    expect(shown(tree)).toEqual([
      '1 Session',
      '2 step a',
      '3 exa: r',
      '3 step c',
      '4 step d',
      '5 step f',
      '2 step b',
      '2 step e',
    ]);
    expect(ancestors(tree, 'interaction:f').map(({ label }) => label)).toEqual([
      'step d',
      'step c',
      'step a',
      'Session',
    ]);
    expect(findNodes(tree, 'STEP D')).toEqual(['interaction:d']);
    expect(findNodes(tree, ' ')).toEqual([]);
  });

  test('rows know their place among their siblings, and closed nodes hide what is below', () => {
    const tree = joinPages([
      session([step({ id: 'a', children: [run('r', 5)] }), step({ id: 'b' })]),
    ]);
    const rows = treeRows(tree, ({ type }) => type === 'session');
    expect(
      rows.map(({ node, position, siblings, isOpen }) => [node.id, position, siblings, isOpen]),
    ).toEqual([
      ['session:s', 1, 1, true],
      ['interaction:a', 1, 2, false],
      ['interaction:b', 2, 2, false],
    ]);
    expect(treeRows(joinPages([]), () => true)).toEqual([]);
  });

  test('a chain of 20,000 steps is laid out without recursion', () => {
    let chain = step({ id: '0' });
    for (let index = 1; index < 20_000; index += 1) {
      chain = step({ id: String(index), children: [chain] });
    }
    const tree = joinPages([session([chain])]);
    const rows = treeRows(tree, () => true);
    expect(rows).toHaveLength(20_001);
    expect(rows.at(-1)?.level).toBe(20_001);
    expect(ancestors(tree, 'interaction:0')).toHaveLength(20_000);
  });
});
