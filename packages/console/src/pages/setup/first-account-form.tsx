import { useMutation } from '@tanstack/react-query';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';

const EMPTY = { code: '', name: '', email: '', password: '' };
type Values = typeof EMPTY;

/** Makes the first account, with the code that shows access to the server's machine. */
export function FirstAccountForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
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
      isBusy={setUp.isPending}
      error={setUp.error}
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
