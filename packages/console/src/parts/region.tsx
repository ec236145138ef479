import type { ReactNode } from 'react';
import { hasStatus } from '../api/error.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './region.module.css';

/** Rows that appear when an answer takes longer than 150 ms. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className={styles.skeleton} aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are the same
        <span key={row} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  readonly icon?: IconName;
  /** One sentence: what would be here. */
  readonly text: ReactNode;
  readonly action?: ReactNode;
  /** Such as a command to copy. */
  readonly children?: ReactNode;
}

/** Nothing is here yet. */
export const EmptyState = ({ icon = 'folder', text, action, children }: EmptyStateProps) => (
  <div className={styles.state}>
    <Icon name={icon} size={22} />
    <p>{text}</p>
    {action}
    {children}
  </div>
);

/** There are rows, and the filters hide all of them. */
export const FilteredToEmpty = ({ onClear }: { readonly onClear: () => void }) => (
  <div className={styles.state}>
    <Icon name="filter" size={22} />
    <p>Nothing matches the filters.</p>
    <Button onClick={onClear}>Clear filters</Button>
  </div>
);

/** The person's role does not allow it. */
export const Forbidden = ({
  what,
  neededRole,
}: {
  readonly what: string;
  readonly neededRole: string;
}) => (
  <div className={styles.state}>
    <Icon name="lock" size={22} />
    <p>
      {what}: this needs the role <strong>{neededRole}</strong> in this project. An owner of it can
      give that role to you.
    </p>
  </div>
);

/** What a region needs of a query, also of one that reads page after page. */
interface RegionQuery<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

interface RegionProps<Data> {
  readonly query: RegionQuery<Data>;
  /** What is read, as the subject of a sentence: «The keys». */
  readonly what: string;
  /** The least role that may read it, if that is not viewer. */
  readonly neededRole?: string;
  readonly skeleton?: ReactNode;
  readonly isEmpty?: (data: Data) => boolean;
  readonly empty?: ReactNode;
  readonly isFiltered?: boolean;
  readonly onClearFilters?: () => void;
  readonly children: (data: Data) => ReactNode;
}

/**
 * A part of a page that shows an answer, in each state that it can have. Other parts stay as they
 * are.
 */
export function Region<Data>(props: RegionProps<Data>) {
  const { query, what, neededRole = 'viewer', skeleton = <Skeleton />, children } = props;
  const { data, error } = query;
  const retry = () => void query.refetch();
  if (data === undefined) {
    if (!error) return skeleton;
    if (isForbidden(error)) return <Forbidden what={what} neededRole={neededRole} />;
    return <ErrorNote error={error} what={`${what} could not be read`} onRetry={retry} />;
  }
  const shown = emptyOf(props, data) ?? children(data);
  return (
    <>
      {error && <ErrorNote error={error} what={`${what} could not be updated`} onRetry={retry} />}
      <div className={query.isPlaceholderData ? styles.stale : undefined}>{shown}</div>
    </>
  );
}

function emptyOf<Data>(props: RegionProps<Data>, data: Data): ReactNode {
  const { isEmpty, empty, isFiltered = false, onClearFilters } = props;
  if (!isEmpty?.(data)) return undefined;
  return isFiltered && onClearFilters ? <FilteredToEmpty onClear={onClearFilters} /> : empty;
}

const isForbidden = (error: unknown): boolean => hasStatus(error, 403);
