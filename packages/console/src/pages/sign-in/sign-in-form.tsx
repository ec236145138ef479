import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt } from '../../api/error.ts';
import { type SignInState, stateQuery } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Note } from '../../parts/note.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region, Skeleton } from '../../parts/region.tsx';
import { SingleSignOn } from './single-sign-on.tsx';

interface SignInFormProps {
  readonly onSignedIn: () => void;
  /**
   * Where single sign-on comes back to. Absent in the dialog over a page, which must not be left.
   */
  readonly returnTo?: string;
  /** The address that an invitation was made for. */
  readonly email?: string;
}

/** E-mail and password, or single sign-on. Also shown in the dialog of a session that has ended. */
export default function SignInForm(props: SignInFormProps) {
  const state = useQuery(stateQuery);
  return (
    <Region query={state} what="The ways to sign in" skeleton={<Skeleton rows={3} />}>
      {(ways) => (
        <div className="stack">
          {ways.single_sign_on && (
            <SingleSignOn
              label={ways.single_sign_on.label}
              returnTo={props.returnTo}
              onSignedIn={props.onSignedIn}
            />
          )}
          {ways.single_sign_on && ways.password_sign_in && <p className="soft">or</p>}
          {ways.password_sign_in && <PasswordForm demo={ways.demo} {...props} />}
          {ways.password_sign_in && <ForgottenPassword />}
        </div>
      )}
    </Region>
  );
}

/** No mail is sent from here, so another person makes the link. */
const ForgottenPassword = () => (
  <details className="soft">
    <summary>Forgot your password?</summary>
    <p>
      Ask an owner or admin of your project: the page Members has a link for a new one. A person
      with access to the machine of this server can run <code>trawl console reset EMAIL</code>.
    </p>
  </details>
);

interface PasswordFormProps extends SignInFormProps {
  readonly demo: SignInState['demo'];
}

function PasswordForm({ demo, email: known, onSignedIn }: PasswordFormProps) {
  const [email, setEmail] = useState(known ?? demo?.email ?? '');
  const [password, setPassword] = useState(demo?.password ?? '');
  const signIn = useMutation({
    mutationFn: () => call('POST /console/api/sign-in', { body: { email, password } }),
    onSuccess: onSignedIn,
  });
  useForgetting(signIn.isSuccess, setPassword);
  return (
    <Form
      what="You are not signed in"
      submitLabel="Sign in"
      fields={['email', 'password']}
      isSignIn
      mutation={signIn}
      onSubmit={() => signIn.mutate()}
    >
      {demo && (
        <Note>
          This is a demo. The account below is made for it: everyone who can open this page can sign
          in with it.
        </Note>
      )}
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        value={email}
        error={issueAt(signIn.error, 'body', 'email')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        value={password}
        error={issueAt(signIn.error, 'body', 'password')}
        onChange={({ target }) => setPassword(target.value)}
      />
    </Form>
  );
}

/** Empties the field of a password that is not needed any more. */
function useForgetting(isUsed: boolean, setPassword: (password: string) => void): void {
  useEffect(() => {
    if (isUsed) setPassword('');
  }, [isUsed, setPassword]);
}
