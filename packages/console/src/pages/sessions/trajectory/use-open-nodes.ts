import { useCallback, useEffect, useMemo, useState } from 'react';
import { ancestors, type Tree, type TreeNode, treeRows } from './tree.ts';

/** In a large tree, runs are closed at first. */
const ALL_OPEN_MAX = 300;

/** Which nodes are open, and the rows that are shown because of it. */
export function useOpenNodes(tree: Tree, selected: string | null) {
  const isLarge = tree.nodes.length > ALL_OPEN_MAX;
  // nodes that differ from what is usual
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [usual, setUsual] = useState<'some' | 'all' | 'none'>('some');
  const isOpen = useCallback(
    ({ id, type }: TreeNode): boolean => {
      const own = changed.get(id);
      if (own !== undefined) return own;
      if (usual !== 'some') return usual === 'all' || type === 'session';
      return type === 'session' || (type === 'interaction' && !isLarge);
    },
    [changed, usual, isLarge],
  );
  const rows = useMemo(() => treeRows(tree, isOpen), [tree, isOpen]);
  const reveal = useCallback(
    (id: string) =>
      setChanged((before) => {
        const next = new Map(before);
        for (const node of ancestors(tree, id)) next.set(node.id, true);
        return next;
      }),
    [tree],
  );
  // a link to a node opens the branches above it; also when its page arrives later
  const isThere = selected !== null && tree.places.has(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later selections of shown rows need nothing
  useEffect(() => {
    if (isThere && selected !== null) reveal(selected);
  }, [isThere]);
  const setAll = (next: 'all' | 'none') => {
    setUsual(next);
    setChanged(new Map());
  };
  return {
    rows,
    reveal,
    toggle: (node: TreeNode) => setChanged((before) => new Map(before).set(node.id, !isOpen(node))),
    openAll: () => setAll('all'),
    closeAll: () => setAll('none'),
  };
}
