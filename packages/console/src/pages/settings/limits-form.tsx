import type { ProjectEntry } from '@trawl/contract/console';
import { useState } from 'react';
import { issueAt } from '../../api/error.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { readLimit, writeLimit } from './limit-text.ts';
import { useProjectChange } from './use-project-change.ts';

interface LimitsFormProps {
  readonly project: string;
  readonly known: Pick<ProjectEntry, 'rate_limit' | 'monthly_budget_usd'>;
}

const NOT_A_NUMBER = 'Write a number, or leave it empty for no limit';

export function LimitsForm({ project, known }: LimitsFormProps) {
  const [rate, setRate] = useState(writeLimit(known.rate_limit));
  const [budget, setBudget] = useState(writeLimit(known.monthly_budget_usd));
  const [isChecked, setChecked] = useState(false);
  const change = useProjectChange(project, 'The limits are changed.');
  const limits = { rate_limit: readLimit(rate), monthly_budget_usd: readLimit(budget) };
  const submit = () => {
    setChecked(true);
    const { rate_limit, monthly_budget_usd } = limits;
    if (rate_limit === undefined || monthly_budget_usd === undefined) return;
    change.mutate({ rate_limit, monthly_budget_usd });
  };
  const errorOf = (name: keyof typeof limits) =>
    isChecked && limits[name] === undefined ? NOT_A_NUMBER : issueAt(change.error, 'body', name);
  return (
    <Form
      what="The limits were not changed"
      submitLabel="Change limits"
      fields={['rate_limit', 'monthly_budget_usd']}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={submit}
    >
      <TextField
        label="Requests a minute"
        isOptional
        hint="Empty = no limit. Requests beyond it are refused with 429."
        inputMode="numeric"
        autoComplete="off"
        value={rate}
        error={errorOf('rate_limit')}
        onChange={({ target }) => setRate(target.value)}
      />
      <TextField
        label="Budget of a month, in US dollars"
        isOptional
        hint="Empty = no budget. When it is used up, calls are refused with 402 until the next month."
        inputMode="decimal"
        autoComplete="off"
        value={budget}
        error={errorOf('monthly_budget_usd')}
        onChange={({ target }) => setBudget(target.value)}
      />
    </Form>
  );
}
