import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../../../keys/use-shortcuts.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { SearchInput } from '../../../parts/field.tsx';
import { Note } from '../../../parts/note.tsx';
import { Region } from '../../../parts/region.tsx';
import { saveText } from '../../../parts/save-text.ts';
import type { VirtualListHandle } from '../../../parts/virtual-list.tsx';
import { useUrlState } from '../../../url-state/use-url-state.ts';
import { optional, text } from '../../../url-state/values.ts';
import { counted } from '../shared/words.ts';
import { NodeDetail } from './node-detail.tsx';
import { createScale, fitted, spansOf, WHOLE, type Zoom, zoomed } from './timeline.ts';
import styles from './trajectory.module.css';
import { findNodes, isFailed, type Tree, type TreeNode } from './tree.ts';
import { TreeView } from './tree-view.tsx';
import { useOpenNodes } from './use-open-nodes.ts';
import { useTrajectory } from './use-trajectory.ts';

const STATE = { node: optional(), find: text() };

interface TrajectoryProps {
  readonly project: string;
  readonly session: string;
  /** Interactions of the session. */
  readonly count: number;
  readonly view: 'tree' | 'timeline';
}

/** A session as a tree or over time, and what is known of the selected node. */
export function Trajectory({ project, session, count, view }: TrajectoryProps) {
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
          <Views project={project} session={session} tree={tree} view={view} />
        </div>
      )}
    </Region>
  );
}

interface ViewsProps {
  readonly project: string;
  readonly session: string;
  readonly tree: Tree;
  readonly view: 'tree' | 'timeline';
}

function Views({ project, session, tree, view }: ViewsProps) {
  const [state, change] = useUrlState(STATE);
  const [zoom, setZoom] = useState<Zoom>(WHOLE);
  const open = useOpenNodes(tree, state.node);
  const list = useRef<VirtualListHandle>(null);
  const spans = useMemo(() => spansOf(tree), [tree]);
  // the root spans the breaks too
  const scale = useMemo(() => createScale(spans.slice(1)), [spans]);
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
        {view === 'timeline' && <ZoomButtons zoom={zoom} onZoom={setZoom} />}
        <IconButton
          icon="download"
          size="small"
          label="Download the nodes as JSON"
          onClick={() =>
            saveText(JSON.stringify(tree.nodes), `trajectory-${session}.json`, 'application/json')
          }
        />
      </div>
      {view === 'timeline' && (
        <p className="soft">
          Ctrl and the wheel zoom, a double click fits a bar. Breaks of five minutes and more are
          drawn short. The record does not say when a run began: its bar starts with its request.
        </p>
      )}
      <div className={styles.views}>
        <TreeView
          tree={tree}
          rows={open.rows}
          selected={selected}
          list={list}
          onSelect={select}
          onToggle={open.toggle}
          {...(view === 'timeline'
            ? {
                timeline: {
                  spans,
                  scale,
                  zoom,
                  onZoom: setZoom,
                  onFit: (span) => setZoom(fitted(span, scale)),
                },
              }
            : {})}
        />
        <NodeDetail project={project} session={session} tree={tree} node={selected} />
      </div>
    </div>
  );
}

const MIDDLE_STEP = 2;

function ZoomButtons({
  zoom,
  onZoom,
}: {
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
}) {
  const middle = (zoom.from + zoom.to) / 2;
  return (
    <span className="row">
      <IconButton
        icon="plus"
        size="small"
        label="Zoom in"
        onClick={() => onZoom(zoomed(zoom, 1 / MIDDLE_STEP, middle))}
      />
      <IconButton
        icon="minus"
        size="small"
        label="Zoom out"
        onClick={() => onZoom(zoomed(zoom, MIDDLE_STEP, middle))}
      />
      <Button size="small" disabled={zoom === WHOLE} onClick={() => onZoom(WHOLE)}>
        Whole session
      </Button>
    </span>
  );
}
