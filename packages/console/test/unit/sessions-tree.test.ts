import type { TrajectoryNode } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  barOf,
  createScale,
  fitted,
  spansOf,
  WHOLE,
  zoomed,
} from '../../src/pages/sessions/trajectory/timeline.ts';
import {
  ancestors,
  findNodes,
  joinPages,
  type Tree,
  treeRows,
} from '../../src/pages/sessions/trajectory/tree.ts';

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

describe('the timeline of a session', () => {
  test('runs begin with their step, and long breaks are drawn short', () => {
    const tree = joinPages([
      session([
        step({ id: 'a', from: 0, to: 10, children: [run('fast', 5_000), run('open', null)] }),
        step({ id: 'b', from: 3_610, to: 3_620 }),
      ]),
    ]);
    const spans = spansOf(tree);
    expect(spans[0]).toEqual({ start: START, end: START + 3_620_000 });
    expect(spans[2]).toEqual({ start: START, end: START + 5_000 });
    expect(spans[3]).toEqual({ start: START, end: null });
    const scale = createScale(spans.slice(1));
    expect(scale.segments.map(({ isIdle }) => isIdle)).toEqual([false, true, false]);
    // each step has half of the width but the break
    expect(scale.at(START + 10_000)).toBeCloseTo(0.49, 2);
    expect(scale.at(START + 3_610_000)).toBeCloseTo(0.51, 2);
    expect([scale.at(START - 5), scale.at(START + 9_999_999)]).toEqual([0, 1]);
    const [, , fast, open] = spans;
    const bar = fast && barOf(fast, scale, WHOLE);
    expect(bar?.left).toBe(0);
    expect(bar?.width).toBeCloseTo(24.5, 1);
    expect(open && barOf(open, scale, WHOLE)).toMatchObject({ width: 0, isOpen: true });
  });

  test('the session spans all of its time, breaks included', () => {
    const tree = joinPages([
      session([step({ id: 'a' }), step({ id: 'b', from: 7_200, to: 7_201 })]),
    ]);
    const spans = spansOf(tree);
    // the root would make the break busy
    expect(createScale(spans.slice(1)).segments).toHaveLength(3);
    expect(createScale([]).at(START)).toBe(0);
  });

  test('zooming keeps the place under the mouse, and stays within the session', () => {
    const half = zoomed(WHOLE, 0.5, 0.25);
    expect(half).toEqual({ from: 0.125, to: 0.625 });
    expect(zoomed(half, 4, 0.25)).toEqual(WHOLE);
    expect(zoomed(WHOLE, 0.5, 1)).toEqual({ from: 0.5, to: 1 });
    const scale = createScale([{ start: START, end: START + 100_000 }]);
    const fit = fitted({ start: START + 40_000, end: START + 50_000 }, scale);
    expect(fit.from).toBeCloseTo(0.39, 2);
    expect(fit.to).toBeCloseTo(0.51, 2);
    const outside = { start: START + 90_000, end: START + 95_000 };
    expect(barOf(outside, scale, fit)).toBeUndefined();
  });
});
