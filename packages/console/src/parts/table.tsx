import type { MouseEvent, ReactNode } from 'react';
import type { Sort } from '../url-state/url-state.ts';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned right. */
  readonly align?: 'left' | 'right';
  readonly isSortable?: boolean;
  /** For a column whose title is for screen readers only, such as actions. */
  readonly isTitleHidden?: boolean;
  /** As CSS writes it: `12rem`. */
  readonly width?: string;
  /** Text that may take several lines; other cells stay on one. */
  readonly isLong?: boolean;
  /** Left out where there is little room: what it shows is also in the panel or page of the row. */
  readonly isExtra?: boolean;
  /** Where a row is a line on a phone: it is in that line. */
  readonly isInLine?: boolean;
}

export interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** From the address: `useUrlState({ sort: sortOf([…], …) })`. */
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /**
   * The address of a row's own page. The first cell links to it, and Ctrl- or Cmd-click opens it in
   * a new tab.
   */
  readonly rowHref?: (row: Row) => string;
  /** A click on a row: shows it in a peek panel. */
  readonly onOpen?: (row: Row) => void;
  /** The row in the peek panel. */
  readonly openKey?: string | null;
  /**
   * Rows and columns are compared with each other, so it scrolls where it does not fit. Other
   * tables are a card for each row there.
   */
  readonly isMatrix?: boolean;
  /** A row is one line on a phone, of its first cell and those `isInLine`; others are cards. */
  readonly isLines?: boolean;
}

/** A card is not laid out as a table, and would lose what its elements mean. */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  header: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

/**
 * Rows with a header. Sorting is the server's or the page's work: the header only says what is
 * wanted.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, isMatrix = false, isLines = false } = props;
  const shape = isMatrix ? styles.matrix : classNames(styles.cards, isLines && styles.lines);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus
    <section className={styles.frame} tabIndex={0} aria-label={caption}>
      <table {...ROLES.table} className={classNames(styles.table, shape)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead {...ROLES.group}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <Header key={column.key} column={column} table={props} />
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group}>
          {rows.map((row) => (
            <TableRow key={rowKey(row)} row={row} table={props} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Header<Row>({
  column,
  table: { sort, onSort },
}: {
  readonly column: Column<Row>;
  readonly table: TableProps<Row>;
}) {
  const { key, title, align, isSortable, isTitleHidden, width, isExtra } = column;
  const isSorted = sort?.key === key;
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  const heading = isTitleHidden ? <span className="visually-hidden">{title}</span> : title;
  return (
    <th
      {...ROLES.column}
      scope="col"
      className={classNames(align === 'right' && styles.right, isExtra && styles.extra)}
      {...(isSorted ? { 'aria-sort': direction } : {})}
      {...(width === undefined ? {} : { style: { width } })}
    >
      {isSortable && onSort ? (
        <button
          type="button"
          className={classNames(styles.sort, isSorted && styles.sorted)}
          onClick={() => onSort({ key, isDescending: isSorted ? !sort.isDescending : true })}
        >
          {heading}
          <Icon
            name={isSorted ? (sort.isDescending ? 'chevron-down' : 'chevron-up') : 'sort'}
            size={12}
          />
        </button>
      ) : (
        heading
      )}
    </th>
  );
}

function TableRow<Row>({ row, table }: { readonly row: Row; readonly table: TableProps<Row> }) {
  const { columns, rowKey, rowHref, onOpen, openKey } = table;
  const isOpen = openKey === rowKey(row);
  const open = (event: MouseEvent) => {
    if (!onOpen || !isRowClick(event)) return;
    event.preventDefault();
    onOpen(row);
  };
  return (
    // by keyboard, the link in the first cell does the same
    <tr
      {...ROLES.row}
      data-row={rowKey(row)}
      className={classNames(onOpen && styles.openable, isOpen && styles.open)}
      onClick={open}
    >
      {columns.map(
        ({ key, title, cell, align, isLong, isExtra, isInLine, isTitleHidden }, index) => {
          const content = cell(row);
          const className = classNames(
            align === 'right' && styles.right,
            isLong && styles.long,
            isInLine && styles.inLine,
            isExtra && styles.extra,
          );
          if (index > 0) {
            return (
              <td
                {...ROLES.cell}
                key={key}
                className={className}
                data-title={isTitleHidden ? undefined : title}
              >
                {content}
              </td>
            );
          }
          return (
            <th {...ROLES.header} key={key} scope="row" className={className}>
              {rowHref ? (
                <a className={styles.link} href={rowHref(row)} aria-current={isOpen || undefined}>
                  {content}
                </a>
              ) : (
                content
              )}
            </th>
          );
        },
      )}
    </tr>
  );
}

/** Clicks on links, buttons and selections, or for a new tab, are not for the row. */
function isRowClick(event: MouseEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return false;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.closest('button, input, label, [role="menuitem"]')) return false;
  const link = target?.closest('a');
  return !link || link.closest('th[scope="row"]') !== null;
}
