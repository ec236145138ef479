import { Link } from '@tanstack/react-router';
import type { VerifiedQuote } from '@trawl/contract';
import { useState } from 'react';
import { Status, type Tone } from '../../parts/badge.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TextDiff } from '../../parts/text-diff.tsx';
import { Time } from '../../parts/value.tsx';
import { hostOf } from '../../parts/web-address.ts';
import { interactionPath, shortId } from '../../records/paths.ts';
import type { CheckedQuote } from './check-quotes.ts';
import { QuotePlace } from './quote-place.tsx';
import styles from './quotes.module.css';

interface QuoteResultsProps {
  readonly project: string;
  readonly session: string;
  readonly quotes: readonly CheckedQuote[];
}

/** Each quote with where it was found. A click on it opens the recorded text there. */
export function QuoteResults({ project, session, quotes }: QuoteResultsProps) {
  const [open, setOpen] = useState<VerifiedQuote | null>(null);
  return (
    <>
      <Table
        caption="Quotes"
        columns={columnsOf(project, session, setOpen)}
        rows={quotes}
        rowKey={({ key }) => key}
      />
      {open !== null && <QuotePlace project={project} found={open} onClose={() => setOpen(null)} />}
    </>
  );
}

type Open = (found: VerifiedQuote) => void;

const columnsOf = (
  project: string,
  session: string,
  open: Open,
): readonly Column<CheckedQuote>[] => [
  {
    key: 'quote',
    title: 'Quote',
    isLong: true,
    cell: (quote) => <Quote quote={quote} open={open} />,
  },
  { key: 'status', title: 'Status', cell: ({ found }) => <QuoteStatus found={found} /> },
  {
    key: 'where',
    title: 'Where',
    isLong: true,
    cell: ({ found }) => found && <Where project={project} session={session} found={found} />,
  },
  {
    key: 'retrieved',
    title: 'Retrieved',
    cell: ({ found }) => found?.retrieved_at && <Time at={found.retrieved_at} isAbsolute />,
  },
  {
    key: 'published',
    title: 'Published',
    cell: ({ found }) =>
      found?.interaction_id && (found.publish_date ?? <span className="soft">not known</span>),
  },
  {
    key: 'hash',
    title: 'SHA-256',
    cell: ({ found }) => found?.content_sha256 && <Hash hash={found.content_sha256} />,
  },
];

function Quote({
  quote: { wanted, found },
  open,
}: {
  readonly quote: CheckedQuote;
  readonly open: Open;
}) {
  const isFound = found !== null && found.interaction_id !== null;
  return (
    <div className="stack-tight">
      {isFound ? (
        <button type="button" className={styles.quote} dir="auto" onClick={() => open(found)}>
          {wanted.text}
        </button>
      ) : (
        <span className={styles.missing} dir="auto">
          {wanted.text}
        </span>
      )}
      {found?.status === 'near' && found.passage !== null && (
        <div>
          <span className="soft">The record has:</span>
          <TextDiff before={wanted.text} after={found.passage} />
        </div>
      )}
    </div>
  );
}

const STATUSES: Readonly<Record<VerifiedQuote['status'], readonly [string, Tone]>> = {
  exact: ['exact', 'good'],
  normalized: ['normalized', 'good'],
  near: ['near', 'warn'],
  not_found: ['not found', 'bad'],
};

function QuoteStatus({ found }: { readonly found: VerifiedQuote | null }) {
  if (found === null) return <Status tone="bad">too long</Status>;
  const [word, tone] = STATUSES[found.status];
  return (
    <Status tone={tone}>
      {word}
      {found.status === 'near' && `, ${found.distance} letters differ`}
    </Status>
  );
}

function Where({
  project,
  session,
  found: { url, field, row, interaction_id: id },
}: {
  readonly project: string;
  readonly session: string;
  readonly found: VerifiedQuote;
}) {
  if (id === null) return <span className="soft">no record of the session has it</span>;
  const place = row === null ? '' : ` of row ${row}`;
  return (
    <>
      {url !== null && <span title={url}>{hostOf(url)} </span>}
      <span className="soft">
        {field?.replaceAll('_', ' ')}
        {place} of <Link to={interactionPath(project, session, id)}>{shortId(id)}</Link>
      </span>
    </>
  );
}

const Hash = ({ hash }: { readonly hash: string }) => (
  <span className={styles.hash}>
    <code title={hash}>{hash.slice(0, 8)}…</code>
    <CopyButton text={hash} label="Copy the hash" />
  </span>
);
