import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { sessionQuery, stateQuery, useSession } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region, Skeleton } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { toast } from '../../parts/toast.tsx';
import { Page } from '../../shell/page.tsx';
import { SignOutButton } from '../../shell/sign-out.tsx';
import { Logins } from './logins.tsx';
import { SignIns, signInsQuery } from './sign-ins.tsx';

export default function AccountPage() {
  const { person } = useSession();
  const state = useQuery(stateQuery);
  return (
    <Page
      title="Account"
      description={
        person.is_operator ? `${person.email}, an operator of this deployment.` : person.email
      }
      actions={<SignOutButton />}
    >
      <Section title="Name" isNarrow>
        <NameForm known={person.name} />
      </Section>
      <Section title="Password" isNarrow>
        <Region query={state} what="The ways to sign in" skeleton={<Skeleton rows={3} />}>
          {(ways) =>
            ways.password_sign_in ? (
              <PasswordForm email={person.email} />
            ) : (
              <p>Everyone signs in by single sign-on here, so there are no passwords.</p>
            )
          }
        </Region>
      </Section>
      <SignIns />
      <Logins />
    </Page>
  );
}

function NameForm({ known }: { readonly known: string }) {
  const [name, setName] = useState(known);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => call('PATCH /console/api/account', { body: { name } }),
    onSuccess: () => {
      toast({ text: 'Your name is changed.' });
      return client.invalidateQueries(sessionQuery);
    },
  });
  return (
    <Form
      what="Your name was not changed"
      submitLabel="Change name"
      fields={['name']}
      mutation={rename}
      onSubmit={() => rename.mutate()}
    >
      <TextField
        label="Name"
        hint="Other people of your projects see it, with your e-mail."
        autoComplete="name"
        value={name}
        error={issueAt(rename.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </Form>
  );
}

const EMPTY = { current_password: '', new_password: '' };

/** @param email For password managers, which keep a password with its address. */
function PasswordForm({ email }: { readonly email: string }) {
  const [values, setValues] = useState(EMPTY);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => call('POST /console/api/account/password', { body: values }),
    onSuccess: () => {
      setValues(EMPTY);
      toast({ text: 'Your password is changed. You are signed out everywhere else.' });
      return client.invalidateQueries(signInsQuery);
    },
  });
  const field = (name: keyof typeof EMPTY) => ({
    value: values[name],
    error: issueAt(change.error, 'body', name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setValues((before) => ({ ...before, [name]: target.value })),
  });
  return (
    <Form
      what="Your password was not changed"
      submitLabel="Change password"
      fields={['current_password', 'new_password']}
      mutation={change}
      onSubmit={() => change.mutate()}
    >
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...field('current_password')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${CONSOLE_LIMITS.passwordMin} characters. All other sign-ins end.`}
        {...field('new_password')}
      />
    </Form>
  );
}
