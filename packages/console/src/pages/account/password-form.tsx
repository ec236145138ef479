import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { signInsQuery } from './sign-ins-query.ts';

const EMPTY = { current_password: '', new_password: '' };

/** @param email For password managers, which keep a password with its address. */
export function PasswordForm({ email }: { readonly email: string }) {
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
      isBusy={change.isPending}
      error={change.error}
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
