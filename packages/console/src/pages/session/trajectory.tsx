import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { callApi } from '../../api/call.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { SearchInput } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { Region } from '../../parts/region.tsx';
import { saveText } from '../../parts/save-file.ts';
import type { VirtualListHandle } from '../../parts/virtual-list.tsx';
import { optional, text, useUrlState } from '../../url-state/url-state.ts';
import styles from './trajectory.module.css';
import { NodeDetail } from './trajectory-node.tsx';
import {
  ancestors,
  findNodes,
  isFailed,
  joinPages,
  type Tree,
  type TreeNode,
  treeRows,
} from './trajectory-tree.ts';
import { TreeView } from './trajectory-tree-view.tsx';

const STATE = { node: optional(), find: text() };

interface TrajectoryProps {
  readonly project: string;
  readonly session: string;
  /** Interactions of the session. */
  readonly count: number;
}

/** A session as a tree, and what is known of the selected node. */
export function Trajectory({ project, session, count }: TrajectoryProps) {
  const { query, tree, isFull } = useTrajectory(project, session);
  const read = tree.nodes.filter(({ type }) => type === 'interaction').length;
  return (
    <Region query={query} what="The trajectory">
      {() => (
        <div className="stack-tight">
          {query.hasNextPage && (
            <Note
              actions={
                isFull && (
                  <Button
                    size="small"
                    isBusy={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    Read more
                  </Button>
                )
              }
            >
              Showing the first {read.toLocaleString('en-US')} of {counted(count, 'interaction')}.
              {!isFull && ' The others are being read.'}
            </Note>
          )}
          <Views project={project} session={session} tree={tree} />
        </div>
      )}
    </Region>
  );
}

interface ViewsProps {
  readonly project: string;
  readonly session: string;
  readonly tree: Tree;
}

function Views({ project, session, tree }: ViewsProps) {
  const [state, change] = useUrlState(STATE);
  const open = useOpenNodes(tree, state.node);
  const list = useRef<VirtualListHandle>(null);
  const sought = useDeferredValue(state.find);
  const hits = useMemo(() => findNodes(tree, sought), [tree, sought]);
  const selected = tree.nodes[tree.places.get(state.node ?? '') ?? -1];
  const select = (node: TreeNode) => change({ node: node.id });
  const goTo = (id: string | undefined) => {
    if (id === undefined) return;
    open.reveal(id);
    change({ node: id });
  };
  const nextOf = (ids: readonly string[]) => {
    const place = ids.indexOf(state.node ?? '');
    goTo(ids[(place + 1) % ids.length]);
  };
  const failures = useMemo(() => tree.nodes.filter(isFailed).map(({ id }) => id), [tree]);
  useShortcuts([{ keys: '.', label: 'Next failure', run: () => nextOf(failures) }]);
  return (
    <div className="stack-tight">
      <div className={styles.toolbar}>
        <SearchInput
          label="Name, type or id"
          value={state.find}
          onChange={(find) => change({ find })}
          onKeyDown={(event) => event.key === 'Enter' && nextOf(hits)}
        />
        {sought.trim() !== '' && (
          <span className="row" aria-live="polite">
            {counted(hits.length, 'hit')}
            {hits.length > 0 && (
              <Button size="small" onClick={() => nextOf(hits)}>
                Next hit
              </Button>
            )}
          </span>
        )}
        {failures.length > 0 && (
          <Button size="small" icon="alert" onClick={() => nextOf(failures)}>
            {counted(failures.length, 'failure')}
          </Button>
        )}
        <Button size="small" onClick={open.openAll}>
          Expand all
        </Button>
        <Button size="small" onClick={open.closeAll}>
          Collapse all
        </Button>
        <IconButton
          icon="download"
          size="small"
          label="Download the nodes as JSON"
          onClick={() =>
            saveText(JSON.stringify(tree.nodes), `trajectory-${session}.json`, 'application/json')
          }
        />
      </div>
      <div className={styles.views}>
        <TreeView
          tree={tree}
          rows={open.rows}
          selected={selected}
          list={list}
          onSelect={select}
          onToggle={open.toggle}
        />
        <NodeDetail project={project} session={session} tree={tree} node={selected} />
      </div>
    </div>
  );
}

/** Interactions that are read at once. */
const PAGE = 100;
/** More are read when the person asks for them. */
const NODES_MAX = 10_000;

/** The tree of a session, read page after page. */
function useTrajectory(project: string, session: string) {
  const query = useInfiniteQuery({
    queryKey: [project, 'trajectory', session],
    queryFn: ({ pageParam, signal }) =>
      callApi(project, 'GET /v1/sessions/{session_id}/trajectory', {
        params: { session_id: session },
        query: { limit: PAGE, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after }) => next_after,
    staleTime: 60_000,
  });
  const tree = useMemo(
    () => joinPages(query.data?.pages.map(({ trajectory }) => trajectory) ?? []),
    [query.data],
  );
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const isFull = tree.nodes.length >= NODES_MAX;
  useEffect(() => {
    if (hasNextPage && !isFull && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFull, isFetchingNextPage, isError, fetchNextPage]);
  return { query, tree, isFull };
}

/** In a large tree, runs are closed at first. */
const ALL_OPEN_MAX = 300;

/** Which nodes are open, and the rows that are shown because of it. */
function useOpenNodes(tree: Tree, selected: string | null) {
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
