import { useQuery } from '@tanstack/react-query';
import type { InteractionDetails, InteractionDiff } from '@trawl/contract';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { TextDiff } from '../../parts/text-diff.tsx';
import { interactionQuery } from '../../records/interaction-query.ts';
import type { DiffRow, RunDiff } from './diff-rows.ts';

type TextName = 'title' | 'summary' | 'excerpt' | 'full_content';

interface RowTextsProps {
  readonly project: string;
  readonly diff: InteractionDiff;
  readonly run: RunDiff;
  readonly row: DiffRow;
  readonly texts: readonly TextName[];
}

/** The texts of a row that changed, word by word. They are read when they are asked for. */
export function RowTexts({ project, diff, run, row, texts }: RowTextsProps) {
  const before = useQuery(interactionQuery(project, diff.before.interaction_id));
  const after = useQuery(interactionQuery(project, diff.after.interaction_id));
  const error = before.error ?? after.error;
  if (error) return <ErrorNote error={error} what="The texts could not be read" />;
  if (!before.data || !after.data) return <Skeleton rows={3} />;
  const earlier = rowOf(before.data.interaction, run.before?.run_id, row.before);
  const later = rowOf(after.data.interaction, run.after?.run_id, row.after);
  return texts.map((name) => (
    <section key={name} aria-label={`${name.replaceAll('_', ' ')} of ${row.url}`}>
      {texts.length > 1 && <h4>{name.replaceAll('_', ' ')}</h4>}
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
