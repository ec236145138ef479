import { useQuery } from '@tanstack/react-query';
import type { InteractionDetails, InteractionDiff } from '@trawl/contract';
import { useState } from 'react';
import { Badge, Status } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { TextDiff } from '../../parts/text-diff.tsx';
import { interactionQuery } from '../../records/record-queries.ts';
import styles from './diff.module.css';
import { type DiffRow, diffRows, type RunDiff } from './diff-rows.ts';

interface RunRowsProps {
  readonly project: string;
  readonly diff: InteractionDiff;
  readonly run: RunDiff;
}

/** The rows of one provider that differ. */
export function RunRows({ project, diff, run }: RunRowsProps) {
  const rows = diffRows(run);
  const { provider, before, after, same } = run;
  return (
    <section className="stack-tight" aria-label={`Rows of ${provider}`}>
      <h3>{provider}</h3>
      <p className="soft">{sentenceOf(run)}</p>
      {rows.length > 0 && before && after && (
        <Table
          caption={`Rows of ${provider} that differ`}
          columns={columnsOf({ project, diff, run })}
          rows={rows}
          rowKey={({ url }) => url}
        />
      )}
      {rows.length > 0 && same > 0 && <p className="soft">{same} more are the same.</p>}
    </section>
  );
}

function sentenceOf({ before, after, added, gone, moved, changed, same }: RunDiff): string {
  if (before === null) return `It ran only in the later search, which has ${rowsOf(after)}.`;
  if (after === null) return `It ran only in the earlier search, which has ${rowsOf(before)}.`;
  if (added.length + gone.length + moved.length + changed.length > 0)
    return `${added.length} came, ${gone.length} went, ${moved.length} moved, ${changed.length} changed.`;
  if (same === 0) return 'Neither has a row to compare.';
  return same === 1 ? 'The only row is the same.' : `All ${same} rows are the same.`;
}

const rowsOf = (side: RunDiff['after']): string =>
  side?.rows === 1 ? '1 row' : `${side?.rows ?? 0} rows`;

function columnsOf(props: RunRowsProps): readonly Column<DiffRow>[] {
  return [
    { key: 'row', title: 'Row', isLong: true, cell: (row) => <Row {...props} row={row} /> },
    { key: 'what', title: 'What', width: '7.5rem', cell: (row) => <What row={row} /> },
    { key: 'rank', title: 'Rank', width: '5rem', cell: (row) => rankText(row) },
  ];
}

/** What happened to a row. It may have moved and changed. */
function What({ row: { before, after, changed } }: { readonly row: DiffRow }) {
  if (before === null)
    return (
      <Badge tone="good" icon="plus">
        came
      </Badge>
    );
  if (after === null)
    return (
      <Badge tone="bad" icon="minus">
        went
      </Badge>
    );
  return (
    <span className={styles.what}>
      {before !== after && (
        <Badge tone="accent" icon={after < before ? 'chevron-up' : 'chevron-down'}>
          moved
        </Badge>
      )}
      {changed !== null && <Status tone="warn">changed</Status>}
    </span>
  );
}

function rankText({ before, after }: DiffRow): string {
  if (before === null || after === null || before === after) return String(after ?? before);
  return `${before} → ${after}`;
}

function Row({ row, ...place }: RunRowsProps & { readonly row: DiffRow }) {
  const [isOpen, setOpen] = useState(false);
  const { url, title, changed } = row;
  const texts = changed?.texts.filter((name) => name !== 'title') ?? [];
  return (
    <div className="stack-tight">
      <div>
        <div className={styles.title} dir="auto">
          {changed?.title ? (
            <TextDiff before={changed.title.before ?? ''} after={changed.title.after ?? ''} />
          ) : (
            title
          )}
        </div>
        <p className={styles.url}>
          <ExternalLink href={url}>{url}</ExternalLink>
        </p>
      </div>
      {texts.length > 0 && (
        <>
          <p className="soft">The {texts.map(textName).join(' and the ')} changed.</p>
          <div>
            <Button
              size="small"
              icon={isOpen ? 'chevron-up' : 'chevron-down'}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide the texts' : 'Show what changed'}
            </Button>
          </div>
          {isOpen && <RowTexts {...place} row={row} texts={texts} />}
        </>
      )}
    </div>
  );
}

const textName = (name: string): string => name.replaceAll('_', ' ');

type TextName = 'title' | 'summary' | 'excerpt' | 'full_content';

interface RowTextsProps {
  readonly project: string;
  readonly diff: InteractionDiff;
  readonly run: RunDiff;
  readonly row: DiffRow;
  readonly texts: readonly TextName[];
}

/** The texts of a row that changed, word by word. They are read when they are asked for. */
function RowTexts({ project, diff, run, row, texts }: RowTextsProps) {
  const before = useQuery(interactionQuery(project, diff.before.interaction_id));
  const after = useQuery(interactionQuery(project, diff.after.interaction_id));
  const error = before.error ?? after.error;
  if (error) return <ErrorNote error={error} what="The texts could not be read" />;
  if (!before.data || !after.data) return <Skeleton rows={3} />;
  const earlier = rowOf(before.data.interaction, run.before?.run_id, row.before);
  const later = rowOf(after.data.interaction, run.after?.run_id, row.after);
  return texts.map((name) => (
    <section key={name} aria-label={`${textName(name)} of ${row.url}`}>
      {texts.length > 1 && <h4>{textName(name)}</h4>}
      <TextDiff before={earlier?.[name] ?? ''} after={later?.[name] ?? ''} />
    </section>
  ));
}

function rowOf(
  { preprocessor_runs: runs }: InteractionDetails,
  runId: string | undefined,
  rank: number | null,
) {
  const output = runs.find(({ id }) => id === runId)?.output_payload;
  return output && 'results' in output && rank !== null ? output.results[rank - 1] : undefined;
}
