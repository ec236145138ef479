import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ProjectEntry } from '@trawl/contract/console';
import { useState } from 'react';
import { issueAt } from '../../api/error.ts';
import { isAllowed, projectOf, useSession } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { moneyText } from '../../parts/number-text.ts';
import { Forbidden, Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { Budget } from '../projects/budget.tsx';
import { LoginForm } from './login-form.tsx';
import { type ProjectChange, projectQuery, useProjectChange } from './project-change.ts';
import { RulesForm } from './rules-form.tsx';

export default function SettingsPage() {
  const { project: id = '' } = useParams({ strict: false });
  const session = useSession();
  const known = projectOf(session, id);
  const project = useQuery(projectQuery(id));
  return (
    <Page
      title="Settings"
      description="The name of this project and its limits."
      id={{ value: id, what: 'project id' }}
    >
      <Region query={project} what="The settings">
        {(data) => (
          <div className="stack">
            <Section title="Project" isNarrow>
              <p>
                Id <CopyableId id={id} what="project id" />
              </p>
              {isAllowed(session, known, 'owner') ? (
                <RenameForm key={data.name} project={id} known={data.name} />
              ) : (
                <Forbidden what={`Renaming ${data.name}`} neededRole="owner" />
              )}
            </Section>
            <Section
              title="Limits"
              description="They hold for all keys of the project together. Each key can have lower ones."
              isNarrow
            >
              <p>
                Spent this month:{' '}
                <Budget spentUsd={data.spent_usd} budgetUsd={data.monthly_budget_usd} />
              </p>
              {isAllowed(session, known, 'admin') ? (
                <LimitsForm project={id} known={data} />
              ) : (
                <>
                  <p>
                    Requests a minute:{' '}
                    {data.rate_limit === null ? 'no limit' : data.rate_limit.toLocaleString('en')}
                  </p>
                  <Forbidden what="Changing the limits" neededRole="admin" />
                </>
              )}
            </Section>
            <Section
              title="Web rules"
              description="What no request of the project may touch, in addition to the rules of the deployment."
              isNarrow
            >
              {isAllowed(session, known, 'admin') ? (
                <RulesForm project={id} known={data.web_rules} />
              ) : (
                <Forbidden what="Changing the web rules" neededRole="admin" />
              )}
            </Section>
            <Section
              title="Logins for /mcp"
              description="People let programs log in with their account, where the server has MCP_LOGIN on."
              isNarrow
            >
              {isAllowed(session, known, 'admin') ? (
                <LoginForm project={id} known={data} />
              ) : (
                <Forbidden what="Changing the logins" neededRole="admin" />
              )}
            </Section>
            <Section title="Retention" isNarrow>
              <p>Recordings are kept {retentionText(data.retention_days)}.</p>
              <p className="soft">
                An operator changes it on the server: <code>trawl projects retention</code>. The
                ledger stays.
              </p>
            </Section>
          </div>
        )}
      </Region>
    </Page>
  );
}

function retentionText(days: number | null): string {
  if (days === null) return 'as RETENTION_DAYS of the deployment says: for ever where it is unset';
  return days === 0 ? 'for ever' : `for ${days} ${days === 1 ? 'day' : 'days'}`;
}

interface LimitsFormProps {
  readonly project: string;
  readonly known: Pick<ProjectEntry, 'rate_limit' | 'monthly_budget_usd' | 'spent_usd'>;
}

const NOT_A_NUMBER = 'Write a number, or leave it empty for no limit';

function LimitsForm({ project, known }: LimitsFormProps) {
  const [rate, setRate] = useState(writeLimit(known.rate_limit));
  const [budget, setBudget] = useState(writeLimit(known.monthly_budget_usd));
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState<ProjectChange>();
  const change = useProjectChange(project, 'The limits are changed.');
  const limits = { rate_limit: readLimit(rate), monthly_budget_usd: readLimit(budget) };
  const submit = () => {
    setChecked(true);
    const { rate_limit, monthly_budget_usd } = limits;
    if (rate_limit === undefined || monthly_budget_usd === undefined) return;
    const isUsedUp = monthly_budget_usd !== null && monthly_budget_usd <= known.spent_usd;
    const wanted = { rate_limit, monthly_budget_usd };
    if (isUsedUp && monthly_budget_usd !== known.monthly_budget_usd) setAsked(wanted);
    else change.mutate(wanted);
  };
  const errorOf = (name: keyof typeof limits) =>
    isChecked && limits[name] === undefined ? NOT_A_NUMBER : issueAt(change.error, 'body', name);
  return (
    <Form
      what="The limits were not changed"
      submitLabel="Change limits"
      fields={['rate_limit', 'monthly_budget_usd']}
      mutation={change}
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
      <ConfirmDialog
        isOpen={asked !== undefined}
        isDanger
        title="Stop all calls of this project now?"
        effect={`${moneyText(known.spent_usd)} is spent this month already, which is not below this budget. All programs are refused with 402 until the next month, or until the budget is raised.`}
        confirmLabel="Set this budget"
        onClose={() => setAsked(undefined)}
        onConfirm={() => change.mutateAsync(asked ?? {})}
      />
    </Form>
  );
}

/** What a field of a limit says. Empty = no limit; undefined = not a number. */
function readLimit(written: string): number | null | undefined {
  const text = written.trim().replace(/^\$/, '');
  if (text === '') return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const writeLimit = (limit: number | null): string => (limit === null ? '' : String(limit));

interface RenameFormProps {
  readonly project: string;
  readonly known: string;
}

function RenameForm({ project, known }: RenameFormProps) {
  const [name, setName] = useState(known);
  const rename = useProjectChange(project, 'The project is renamed.');
  return (
    <Form
      what="The project was not renamed"
      submitLabel="Rename"
      fields={['name']}
      mutation={rename}
      onSubmit={() => rename.mutate({ name })}
    >
      <TextField
        label="Name"
        hint="Keys and addresses of the project stay as they are."
        autoComplete="off"
        value={name}
        error={issueAt(rename.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}
