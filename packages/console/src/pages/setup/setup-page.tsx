import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { hasStatus, issueAt } from '../../api/error.ts';
import { type SignedIn, sessionQuery, stateQuery } from '../../api/session.ts';
import { Badge, Status } from '../../parts/badge.tsx';
import { buttonClass } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region, Skeleton } from '../../parts/region.tsx';
import { areaPath } from '../../shell/navigation.ts';
import { PlainPage } from '../../shell/plain-page.tsx';
import { CreateProjectForm } from '../projects/create-project-form.tsx';
import styles from './setup.module.css';

const STEPS = ['Account', 'Project', 'Key'] as const;
type Step = (typeof STEPS)[number];

/** From the first account to the first key. It goes on where it was left. */
export default function SetupPage() {
  const state = useQuery(stateQuery);
  return (
    <PlainPage
      title="Set up trawl"
      description="The first account of this deployment, its first project and its first key."
    >
      <Region query={state} what="The state of this deployment" skeleton={<Skeleton rows={4} />}>
        {({ needs_setup: needsSetup }) => (
          <div className="stack">{needsSetup ? <AccountStep /> : <LaterSteps />}</div>
        )}
      </Region>
    </PlainPage>
  );
}

function AccountStep() {
  const client = useQueryClient();
  const goOn = async () => {
    await client.resetQueries(sessionQuery);
    await client.invalidateQueries(stateQuery);
  };
  return (
    <>
      <Steps current="Account" />
      <FirstAccountForm onSignedIn={goOn} />
    </>
  );
}

function LaterSteps() {
  const session = useQuery({ ...sessionQuery, retry: false });
  const { data, error } = session;
  if (!data && hasStatus(error, 401)) {
    return (
      <>
        <p>This deployment has its first account already.</p>
        <Link to="/sign-in" className={buttonClass({ variant: 'primary' })}>
          Sign in
        </Link>
      </>
    );
  }
  return (
    <Region query={session} what="Your session" skeleton={<Skeleton rows={4} />}>
      {(known) => (
        <div className="stack">
          <AfterAccount session={known} />
        </div>
      )}
    </Region>
  );
}

function AfterAccount({ session: { person, projects } }: { readonly session: SignedIn }) {
  const client = useQueryClient();
  const [first] = projects;
  if (!first && person.is_operator) {
    return (
      <>
        <Steps current="Project" />
        <p>
          A project has its own keys, people, limits and history. Give each team or product one.
        </p>
        <CreateProjectForm
          submitLabel="Make the project"
          onCreated={() => client.invalidateQueries(sessionQuery)}
        />
      </>
    );
  }
  if (!first) {
    return <p>You are not a member of a project yet. Ask an operator for an invitation.</p>;
  }
  return (
    <>
      <Steps current="Key" />
      <p>
        Programs call trawl with a key of a project. Make one for <strong>{first.name}</strong>.
      </p>
      <div className="row">
        <Link to={areaPath(first.id, 'keys')} className={buttonClass({ variant: 'primary' })}>
          Go to the keys of the project
        </Link>
        <Link to={areaPath(first.id, 'playground')} className={buttonClass()}>
          Or search in the playground first
        </Link>
      </div>
    </>
  );
}

function Steps({ current }: { readonly current: Step }) {
  const at = STEPS.indexOf(current);
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map((step, index) => (
        <li key={step} {...(index === at ? { 'aria-current': 'step' as const } : {})}>
          {index < at ? (
            <Status tone="good">{step}: done</Status>
          ) : (
            <Badge tone={index === at ? 'accent' : 'neutral'}>
              {index + 1}. {step}
            </Badge>
          )}
        </li>
      ))}
    </ol>
  );
}

const EMPTY = { code: '', name: '', email: '', password: '' };
type Values = typeof EMPTY;

/** Makes the first account, with the code that shows access to the server's machine. */
function FirstAccountForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [values, setValues] = useState<Values>(EMPTY);
  const setUp = useMutation({
    mutationFn: () => call('POST /console/api/setup', { body: values }),
    onSuccess: onSignedIn,
  });
  const field = (name: keyof Values) => ({
    value: values[name],
    error: issueAt(setUp.error, 'body', name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setValues((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <Form
      what="The account was not made"
      submitLabel="Make the account"
      fields={['code', 'name', 'email', 'password']}
      isSignIn
      mutation={setUp}
      onSubmit={() => setUp.mutate()}
    >
      <div className="stack-tight">
        <p>
          A one-time code shows that you may set up this deployment. A server that was started in a
          terminal has printed it there. For a new one, run this on the server's machine:
        </p>
        <CodeBlock code="trawl console code" label="Command for a new code" />
        <p>In a clone, write npx trawl instead of trawl.</p>
      </div>
      <TextField
        label="One-time code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        {...field('code')}
      />
      <TextField label="Your name" autoComplete="name" {...field('name')} />
      <TextField label="E-mail" type="email" autoComplete="username" {...field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${CONSOLE_LIMITS.passwordMin} characters. A few words are fine.`}
        {...field('password')}
      />
    </Form>
  );
}
