import { useState } from 'react';
import { useShortcuts } from '../../keys/shortcuts.ts';
import type { PlannedRequest } from '../../requests/planned.ts';
import { isRunnable } from './draft.ts';
import { lackOfAll, useChoices } from './provider-choices.ts';
import type { Draft } from './use-draft.ts';
import { type Plan, usePlan } from './use-plan.ts';
import type { Runner } from './use-run.ts';

/** Fields of a form whose text is not JSON. */
interface Unreadable {
  readonly form: string;
  readonly fields: readonly string[];
}

/** What the page does with the request of the form. */
export interface Work {
  readonly plan: Plan;
  readonly mayRun: boolean;
  readonly isRunning: boolean;
  /** Why none of its providers can be asked. */
  readonly lack: string | undefined;
  /** Why it cannot be run now. */
  readonly obstacle: string | undefined;
  /** Nothing that the page knows would make it fail. */
  readonly canRun: boolean;
  readonly roster: ReturnType<typeof useChoices>;
  readonly run: () => void;
  readonly cancel: () => void;
  /** Of the latest dry run or run. */
  readonly error: unknown;
  readonly onUnreadable: (field: string, isUnreadable: boolean) => void;
}

export function useWork(
  project: string,
  { request, version }: Draft,
  runner: Runner,
  mayRun: boolean,
): Work {
  const plan = usePlan(project, request, mayRun);
  // another form has other texts
  const form = `${version} ${request.mode}`;
  const [unreadable, setUnreadable] = useState<Unreadable>({ form, fields: [] });
  const fields = unreadable.form === form ? unreadable.fields : [];
  const isRunning = runner.state?.phase === 'running';
  const roster = useChoices(project, request);
  const lack = lackOfAll(request, roster.choices);
  const obstacle = obstacleOf(request, { fields, mayRun, lack });
  const canRun = obstacle === undefined && !plan.isRefused;
  const run = () => {
    if (!canRun || isRunning) return;
    runner.run(request, plan.isCurrent ? (plan.data?.calls ?? []) : []);
  };
  useShortcuts([
    { keys: 'mod+Enter', label: 'Run the request', run },
    { keys: 'mod+.', label: 'Cancel the request', run: runner.cancel },
  ]);
  const ownError = runner.state?.request === request ? runner.state.error : null;
  return {
    plan,
    isRunning,
    lack,
    obstacle,
    canRun,
    roster,
    run,
    cancel: runner.cancel,
    error: plan.error ?? ownError,
    mayRun,
    onUnreadable: (field, isUnreadable) => {
      const others = fields.filter((name) => name !== field);
      setUnreadable({ form, fields: isUnreadable ? [...others, field] : others });
    },
  };
}

interface Known {
  /** Whose JSON cannot be read. */
  readonly fields: readonly string[];
  readonly mayRun: boolean;
  readonly lack: string | undefined;
}

function obstacleOf(request: PlannedRequest, { fields, mayRun, lack }: Known): string | undefined {
  if (!mayRun) return 'Running needs the role member in this project.';
  if (fields.length > 0) return `Correct the JSON of: ${fields.join(', ')}.`;
  if (lack !== undefined) return lack;
  if (isRunnable(request)) return undefined;
  return request.mode === 'search' ? 'Write a query first.' : 'Write a URL first.';
}
