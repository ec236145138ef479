import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region, Skeleton } from '../../parts/region.tsx';
import { toast } from '../../parts/toast.tsx';
import { PlainPage } from '../../shell/plain-page.tsx';
import { useLinkNumber, useTokenOfAddress } from '../../url-state/token-of-address.ts';

/** `/console/password#<token>`: the token is known to this page only. */
export default function PasswordPage() {
  const token = useTokenOfAddress();
  return (
    <PlainPage title="Set a new password">
      {token ? (
        <PasswordLink key={token} token={token} />
      ) : (
        <p>Open the link again: this page keeps no copy of it.</p>
      )}
    </PlainPage>
  );
}

function PasswordLink({ token }: { readonly token: string }) {
  const id = useLinkNumber();
  const link = useQuery({
    queryKey: ['password-link', id],
    queryFn: ({ signal }) => call('POST /console/api/password-link', { body: { token }, signal }),
    gcTime: 0,
    retry: false,
  });
  return (
    <Region query={link} what="The link" skeleton={<Skeleton rows={4} />}>
      {(person) => <NewPasswordForm token={token} person={person} />}
    </Region>
  );
}

interface NewPasswordFormProps {
  readonly token: string;
  readonly person: AnswerOf<'POST /console/api/password-link'>;
}

function NewPasswordForm({ token, person: { email, name } }: NewPasswordFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const use = useMutation({
    mutationFn: () => call('POST /console/api/password-link/use', { body: { token, password } }),
    onSuccess: async () => {
      setPassword('');
      toast({ text: 'Your password is set. Sign in with it.' });
      await navigate({ to: '/sign-in', replace: true });
      // of a session that has ended, maybe; this page, while shown, would ask for its link again
      client.removeQueries({ predicate: ({ queryKey: [area] }) => area !== 'state' });
    },
  });
  return (
    <Form
      what="The password was not set"
      submitLabel="Set the password"
      fields={['password']}
      isSignIn
      mutation={use}
      onSubmit={() => use.mutate()}
    >
      <p>
        For <strong>{name}</strong>. Wherever this person is signed in, the session ends.
      </p>
      <TextField label="E-mail" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${CONSOLE_LIMITS.passwordMin} characters. A few words are fine.`}
        value={password}
        error={issueAt(use.error, 'body', 'password')}
        onChange={({ target }) => setPassword(target.value)}
      />
    </Form>
  );
}
