import type { ProjectEntry } from '@trawl/contract/console';
import { MCP_LOGINS } from '@trawl/contract/vocabulary';
import { useState } from 'react';
import { issueAt } from '../../api/error.ts';
import { Field, TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Select } from '../../parts/select.tsx';
import { useProjectChange } from './project-change.ts';

interface LoginFormProps {
  readonly project: string;
  readonly known: Pick<ProjectEntry, 'mcp_login' | 'mcp_login_budget_usd'>;
}

const CHOICES: Readonly<Record<ProjectEntry['mcp_login'], string>> = {
  off: 'Nobody',
  admins: 'Admins and owners',
  members: 'Members, admins and owners',
};

/** Who may let programs log in to `/mcp`, and what each of their logins may spend. */
export function LoginForm({ project, known }: LoginFormProps) {
  const [who, setWho] = useState(known.mcp_login);
  const [budget, setBudget] = useState(String(known.mcp_login_budget_usd));
  const change = useProjectChange(project, 'The settings of logins are changed.');
  const usd = /^\d+(\.\d+)?$/.test(budget.trim()) ? Number(budget) : undefined;
  const [isChecked, setChecked] = useState(false);
  const submit = () => {
    setChecked(true);
    if (usd !== undefined) change.mutate({ mcp_login: who, mcp_login_budget_usd: usd });
  };
  return (
    <Form
      what="The settings of logins were not changed"
      submitLabel="Change logins"
      fields={['mcp_login', 'mcp_login_budget_usd']}
      mutation={change}
      onSubmit={submit}
    >
      <Field
        label="Who may let a program log in"
        hint="Logins of others end at once."
        error={issueAt(change.error, 'body', 'mcp_login')}
      >
        {(control) => (
          <Select
            {...control}
            value={who}
            onChange={setWho}
            options={MCP_LOGINS.map((value) => ({ value, label: CHOICES[value] }))}
          />
        )}
      </Field>
      <TextField
        label="Budget of a month for each new login, in US dollars"
        inputMode="decimal"
        autoComplete="off"
        value={budget}
        error={
          isChecked && usd === undefined
            ? 'Write a number'
            : issueAt(change.error, 'body', 'mcp_login_budget_usd')
        }
        onChange={({ target }) => setBudget(target.value)}
      />
    </Form>
  );
}
