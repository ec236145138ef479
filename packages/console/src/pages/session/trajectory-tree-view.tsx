import { isJsonObject } from '@trawl/contract/json-object';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { classNames } from '../../parts/class-names.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { durationText } from '../../parts/time-text.ts';
import { VirtualList, type VirtualListHandle } from '../../parts/virtual-list.tsx';
import styles from './trajectory.module.css';
import {
  INDENT_LEVELS,
  isFailed,
  type Tree,
  type TreeNode,
  type TreeRow,
} from './trajectory-tree.ts';

const ROW_HEIGHT = 30;

const ICONS: Readonly<Record<string, IconName>> = {
  session: 'sessions',
  interaction: 'search',
  preprocessor_run: 'plug',
  postprocessor_run: 'route',
  result: 'link',
  document: 'book',
};

const iconOf = ({ type, data: { user_input: input } }: TreeNode): IconName =>
  type === 'interaction' && isJsonObject(input) && 'urls' in input
    ? 'globe'
    : (ICONS[type] ?? 'dot');

export interface TreeViewProps {
  readonly tree: Tree;
  readonly rows: readonly TreeRow[];
  readonly selected: TreeNode | undefined;
  readonly list: RefObject<VirtualListHandle | null>;
  readonly onSelect: (node: TreeNode) => void;
  readonly onToggle: (node: TreeNode) => void;
}

/** The shown nodes. Only the visible ones are made. */
export function TreeView(props: TreeViewProps) {
  const { rows, selected, list } = props;
  const place = rows.findIndex(({ node }) => node.id === selected?.id);
  const focusNext = useRef(false);
  const isFirst = useRef(true);
  useEffect(() => {
    if (place < 0) return;
    list.current?.scrollToIndex(place, isFirst.current ? 'center' : 'auto');
    isFirst.current = false;
  }, [place, list]);
  const select = (row: TreeRow | undefined) => {
    if (!row) return;
    focusNext.current = true;
    props.onSelect(row.node);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the tree inside
    <div
      className={styles.tree}
      onKeyDown={(event) => onTreeKey(event, props, { place, select })}
      role="presentation"
    >
      <VirtualList
        ref={list}
        label="Trajectory of the session"
        role="tree"
        items={rows}
        itemKey={({ node }) => node.id}
        rowHeight={ROW_HEIGHT}
        height="65vh"
        renderItem={(row, index) => (
          <Row
            row={row}
            isSelected={index === place}
            focusNext={focusNext}
            isReachable={index === Math.max(0, place)}
            view={props}
          />
        )}
      />
    </div>
  );
}

interface Position {
  /** Of the selected row; -1 without one. */
  readonly place: number;
  readonly select: (row: TreeRow | undefined) => void;
}

let typed = { text: '', at: 0 };
const TYPED_MS = 800;

/** Arrows, Home, End and typing the beginning of a name, as in every tree. */
function onTreeKey(event: KeyboardEvent, props: TreeViewProps, { place, select }: Position): void {
  const { rows, tree, onToggle } = props;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const row = rows[place];
  const parentPlace = row?.node.parent ?? -1;
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => select(rows[place + 1]),
    ArrowUp: () => select(rows[Math.max(0, place - 1)]),
    Home: () => select(rows[0]),
    End: () => select(rows.at(-1)),
    ArrowRight: () => {
      if (!row || row.node.children.length === 0) return;
      if (row.isOpen) select(rows[place + 1]);
      else onToggle(row.node);
    },
    ArrowLeft: () => {
      if (row?.isOpen) onToggle(row.node);
      else select(rows.find((each) => each.node === tree.nodes[parentPlace]));
    },
    Enter: () => row && onToggle(row.node),
  };
  const move = moves[event.key];
  if (move) {
    event.preventDefault();
    move();
    return;
  }
  // single letters such as j and . belong to the page
  if (event.key.length !== 1 || !/[\p{L}\p{N}]/u.test(event.key)) return;
  const isContinued = event.timeStamp - typed.at < TYPED_MS;
  typed = { text: (isContinued ? typed.text : '') + event.key.toLowerCase(), at: event.timeStamp };
  const later = [...rows.slice(place + 1), ...rows.slice(0, place + 1)];
  const found = later.find(({ node }) => node.label.toLowerCase().startsWith(typed.text));
  if (!found) return;
  event.preventDefault();
  select(found);
}

interface RowProps {
  readonly row: TreeRow;
  readonly isSelected: boolean;
  /** The selection was moved by keys, so the focus follows it. */
  readonly focusNext: RefObject<boolean>;
  /** By Tab: the selected row, or the first one. */
  readonly isReachable: boolean;
  readonly view: TreeViewProps;
}

function Row({ row, isSelected, focusNext, isReachable, view }: RowProps) {
  const { node, level, position, siblings, isOpen } = row;
  const { onSelect, onToggle } = view;
  const hasChildren = node.children.length > 0;
  const failed = isFailed(node);
  const element = useRef<HTMLDivElement>(null);
  // a row that was far away is made only after the list has scrolled to it
  useEffect(() => {
    if (!isSelected || !focusNext.current) return;
    focusNext.current = false;
    element.current?.focus({ preventScroll: true });
  }, [isSelected, focusNext]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the tree
    <div
      ref={element}
      role="treeitem"
      data-node={node.id}
      tabIndex={isReachable ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isSelected}
      {...(hasChildren ? { 'aria-expanded': isOpen } : {})}
      className={classNames(styles.row, isSelected && styles.selected, failed && styles.failed)}
      onClick={() => onSelect(node)}
    >
      <span
        className={styles.name}
        style={{ paddingInlineStart: Math.min(level - 1, INDENT_LEVELS) * 14 }}
      >
        <span
          className={styles.toggle}
          aria-hidden="true"
          onClick={(event) => {
            if (!hasChildren) return;
            event.stopPropagation();
            onToggle(node);
          }}
        >
          {hasChildren && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />}
        </span>
        <Icon name={failed ? 'alert' : iconOf(node)} size={14} />
        <span className={styles.label} dir="auto">
          {node.label}
        </span>
        {failed && <span className="visually-hidden">failed</span>}
      </span>
      <span className={styles.figures}>{figuresOf(node)}</span>
    </div>
  );
}

function figuresOf({ type, data }: TreeNode): string {
  const { latency_ms: latency, result_count: results, created_at: start, completed_at: end } = data;
  if (type === 'interaction' && typeof start === 'string' && typeof end === 'string') {
    return durationText(Date.parse(end) - Date.parse(start));
  }
  const found = typeof results === 'number' && type === 'preprocessor_run' ? `${results} · ` : '';
  return typeof latency === 'number'
    ? `${found}${durationText(latency)}`
    : found.replace(' · ', '');
}
