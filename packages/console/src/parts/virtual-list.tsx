import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import styles from './virtual-list.module.css';

/** Rows above and below the visible ones. */
const OVERSCAN = 16;

export interface VirtualListHandle {
  scrollToIndex(index: number, align?: 'center' | 'auto'): void;
}

export interface VirtualListProps<Item> {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  /** Heights are remembered by it. */
  readonly itemKey: (item: Item, index: number) => string;
  readonly renderItem: (item: Item, index: number) => ReactNode;
  /** In pixels, before a row was measured. */
  readonly rowHeight?: number;
  /** Of the frame, as CSS writes it. */
  readonly height?: string;
  readonly role?: 'list' | 'tree' | 'group';
  readonly ref?: Ref<VirtualListHandle>;
}

/** A long list, of which only the visible rows are made. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const {
    label,
    items,
    itemKey,
    renderItem,
    rowHeight = 32,
    height = '60vh',
    role = 'group',
    ref,
  } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : itemKey(item, index);
    },
  });
  useImperativeHandle(
    ref,
    () => ({
      scrollToIndex: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
    }),
    [virtualizer],
  );
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: each of its roles may have a name
    <div
      ref={frame}
      className={styles.frame}
      style={{ maxHeight: height }}
      tabIndex={0}
      role={role}
      aria-label={label}
    >
      <div
        className={styles.sizer}
        style={{ height: virtualizer.getTotalSize() }}
        role="presentation"
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              role={role === 'list' ? 'listitem' : 'presentation'}
            >
              {item === undefined ? null : renderItem(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
