import type { TrajectoryNode } from '@trawl/contract';

/** A tree as flat lists: recursion would overflow on a chain of some thousand interactions. */
export interface Tree {
  readonly nodes: readonly TreeNode[];
  /** Places in `nodes` by id. */
  readonly places: ReadonlyMap<string, number>;
}

export interface TreeNode {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Place of its parent; -1 for the root. */
  readonly parent: number;
  /** Places of its children, oldest first. */
  readonly children: readonly number[];
}

interface Building extends TreeNode {
  parent: number;
  readonly children: number[];
}

/**
 * Joins the pages of a session into one tree. An interaction whose parent is on an earlier page
 * hangs below the root of its own page, so it is moved to the parent here.
 */
export function joinPages(roots: readonly TrajectoryNode[]): Tree {
  const nodes: Building[] = [];
  const places = new Map<string, number>();
  const trajectories = new Map<string, number>();
  const add = (node: TrajectoryNode, parent: number): number => {
    const place = nodes.length;
    const { node_id: id, node_type: type, label, data } = node;
    nodes.push({ id, type, label, data, parent, children: [] });
    places.set(id, place);
    nodes[parent]?.children.push(place);
    return place;
  };
  for (const root of roots) {
    const top = places.get(root.node_id) ?? add(root, -1);
    const earlier = new Map(trajectories);
    const waiting = root.children.map((child) => ({ child, parent: top })).reverse();
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { child } = next;
      const { trajectory_id: own, parent_trajectory_id: wanted } = child.data;
      const known = typeof wanted === 'string' ? earlier.get(wanted) : undefined;
      const place = add(child, next.parent === top ? (known ?? top) : next.parent);
      if (child.node_type === 'interaction' && typeof own === 'string' && !trajectories.has(own)) {
        trajectories.set(own, place);
      }
      for (const each of [...child.children].reverse())
        waiting.push({ child: each, parent: place });
    }
  }
  return { nodes, places };
}

/** A node that is shown: all nodes above it are open. */
export interface TreeRow {
  readonly place: number;
  readonly node: TreeNode;
  /** From 1. */
  readonly level: number;
  /** Among its siblings, from 1. */
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
}

/** The shown rows from top to bottom. @param isOpen by id */
export function treeRows({ nodes }: Tree, isOpen: (node: TreeNode) => boolean): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const waiting: Omit<TreeRow, 'node' | 'isOpen'>[] = [];
  if (nodes.length > 0) waiting.push({ place: 0, level: 1, position: 1, siblings: 1 });
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { place, level } = next;
    const node = nodes[place];
    if (!node) continue;
    const open = node.children.length > 0 && isOpen(node);
    rows.push({ ...next, node, isOpen: open });
    if (!open) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child === undefined) continue;
      waiting.push({
        place: child,
        level: level + 1,
        position: index + 1,
        siblings: node.children.length,
      });
    }
  }
  return rows;
}

/** The nodes above one, nearest first. */
export function ancestors({ nodes, places }: Tree, id: string): readonly TreeNode[] {
  const found: TreeNode[] = [];
  let node = nodes[places.get(id) ?? -1];
  while (node && node.parent >= 0) {
    node = nodes[node.parent];
    if (node) found.push(node);
  }
  return found;
}

/** Ids of the nodes whose label, type or id contains the text, from top to bottom. */
export function findNodes({ nodes }: Tree, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return nodes
    .filter(({ id, type, label }) =>
      [label, type, id].some((part) => part.toLowerCase().includes(wanted)),
    )
    .map(({ id }) => id);
}

/** Whether a node is about something that failed. */
export const isFailed = ({ data }: TreeNode): boolean => data.status === 'failed';

/** Indentation stops growing, so that a deep chain stays on the page. */
export const INDENT_LEVELS = 12;
