import { JsonView } from '../../../parts/json-view.tsx';
import type { RunState } from '../run/run-state.ts';

/** The answer as it came; until it is whole, the runs or pages that arrived. */
export const JsonTab = ({ state: { answer, runs, pages } }: { readonly state: RunState }) => (
  <JsonView
    label="The answer"
    fileName={answer?.interaction_id ?? 'answer'}
    value={answer ?? (runs.length > 0 ? runs : pages)}
    openLevels={3}
  />
);
