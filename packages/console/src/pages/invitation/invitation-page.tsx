import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/call.ts';
import { hasStatus, issueAt } from '../../api/error.ts';
import { type SignedIn, sessionQuery, stateQuery } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Note } from '../../parts/note.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Region, Skeleton } from '../../parts/region.tsx';
import { Time } from '../../parts/value.tsx';
import { PlainPage } from '../../shell/plain-page.tsx';
import { SignOutButton } from '../../shell/sign-out.tsx';
import { useLinkNumber, useTokenOfAddress } from '../../url-state/token-of-address.ts';
import SignInForm from '../sign-in/sign-in-form.tsx';
import { SingleSignOn } from '../sign-in/single-sign-on.tsx';

/**
 * `/console/invitation#<token>`: the token is known to this page only, and is not kept in its
 * address.
 */
export default function InvitationPage() {
  const token = useTokenOfAddress();
  return (
    <PlainPage title="Accept an invitation">
      {token ? (
        <Invitation key={token} token={token} />
      ) : (
        <p>Open the link of your invitation again: this page keeps no copy of it.</p>
      )}
    </PlainPage>
  );
}

function Invitation({ token }: { readonly token: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const id = useLinkNumber();
  const invitation = useQuery({
    queryKey: ['invitation', id],
    queryFn: ({ signal }) => call('POST /console/api/invitation', { body: { token }, signal }),
    gcTime: 0,
  });
  const session = useQuery({ ...sessionQuery, retry: false });
  const isSignedOut = hasStatus(session.error, 401);
  const goOn = async () => {
    client.removeQueries({ predicate: ({ queryKey: [area] }) => area === 'projects' });
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await navigate({ to: '/', replace: true });
  };
  return (
    <Region query={invitation} what="The invitation" skeleton={<Skeleton rows={4} />}>
      {(found) =>
        session.data || isSignedOut ? (
          <div className="stack">
            <AcceptInvitation
              token={token}
              invitation={found}
              person={isSignedOut ? undefined : session.data?.person}
              onAccepted={goOn}
              onSignedIn={() => void session.refetch()}
            />
          </div>
        ) : (
          <Region query={session} what="Your session" skeleton={<Skeleton rows={4} />}>
            {() => null}
          </Region>
        )
      }
    </Region>
  );
}

type InvitationView = AnswerOf<'POST /console/api/invitation'>;

interface AcceptInvitationProps {
  readonly token: string;
  readonly invitation: InvitationView;
  /** Undefined = signed out. */
  readonly person: SignedIn['person'] | undefined;
  readonly onAccepted: () => void;
  readonly onSignedIn: () => void;
}

/** What the invitation is for, and the one next step for this person. */
function AcceptInvitation(props: AcceptInvitationProps) {
  const { invitation } = props;
  return (
    <>
      <Facts invitation={invitation} />
      <NextStep {...props} />
    </>
  );
}

function Facts({ invitation }: { readonly invitation: InvitationView }) {
  const { project_name: project, role, invited_by: by, email, expires_at: end } = invitation;
  return (
    <p>
      {by === null ? 'You are invited' : `${by} invites you`} to{' '}
      <strong>{project ?? 'all projects of this deployment, as an operator'}</strong>
      {project !== null && (
        <>
          {' '}
          as <Badge>{role}</Badge>
        </>
      )}
      . The invitation is for <strong>{email}</strong> and ends <Time at={end} />.
    </p>
  );
}

function NextStep({ token, invitation, person, onAccepted, onSignedIn }: AcceptInvitationProps) {
  if (person && person.email.toLowerCase() !== invitation.email.toLowerCase()) {
    return (
      <>
        <Note tone="warn">
          You are signed in as {person.email}. Sign out, then open the link of the invitation again.
        </Note>
        <div className="row">
          <SignOutButton />
        </div>
      </>
    );
  }
  if (person) return <AcceptAs token={token} name={person.name} onAccepted={onAccepted} />;
  return (
    <SignedOutStep
      token={token}
      invitation={invitation}
      onAccepted={onAccepted}
      onSignedIn={onSignedIn}
    />
  );
}

type SignedOutStepProps = Omit<AcceptInvitationProps, 'person'>;

/** Without passwords, everyone comes by single sign-on. */
function SignedOutStep({ token, invitation, onAccepted, onSignedIn }: SignedOutStepProps) {
  const state = useQuery(stateQuery);
  return (
    <Region query={state} what="The ways to sign in" skeleton={<Skeleton rows={3} />}>
      {({ password_sign_in: hasPasswords, single_sign_on: singleSignOn }) =>
        invitation.has_account || !hasPasswords ? (
          <div className="stack">
            <p>Sign in first.</p>
            <SignInForm email={invitation.email} onSignedIn={onSignedIn} />
          </div>
        ) : (
          <div className="stack">
            {singleSignOn && (
              <SingleSignOn
                label={singleSignOn.label}
                returnTo={undefined}
                onSignedIn={onSignedIn}
              />
            )}
            <NewAccountForm token={token} email={invitation.email} onAccepted={onAccepted} />
          </div>
        )
      }
    </Region>
  );
}

interface StepProps {
  readonly token: string;
  readonly onAccepted: () => void;
}

function AcceptAs({ token, name, onAccepted }: StepProps & { readonly name: string }) {
  const accept = useMutation({
    mutationFn: () => call('POST /console/api/invitation/accept', { body: { token } }),
    onSuccess: onAccepted,
  });
  return (
    <Form
      what="The invitation was not accepted"
      submitLabel={`Accept as ${name}`}
      fields={[]}
      mutation={accept}
      onSubmit={() => accept.mutate()}
    >
      {null}
    </Form>
  );
}

function NewAccountForm({ token, email, onAccepted }: StepProps & { readonly email: string }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = useMutation({
    mutationFn: () =>
      call('POST /console/api/invitation/accept', { body: { token, name, password } }),
    onSuccess: onAccepted,
  });
  return (
    <Form
      what="The account was not made"
      submitLabel="Make the account and accept"
      fields={['name', 'password']}
      isSignIn
      mutation={accept}
      onSubmit={() => accept.mutate()}
    >
      <TextField label="E-mail" type="email" autoComplete="username" value={email} readOnly />
      <TextField
        label="Your name"
        autoComplete="name"
        value={name}
        error={issueAt(accept.error, 'body', 'name')}
        onChange={({ target }) => setName(target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${CONSOLE_LIMITS.passwordMin} characters. A few words are fine.`}
        value={password}
        error={issueAt(accept.error, 'body', 'password')}
        onChange={({ target }) => setPassword(target.value)}
      />
    </Form>
  );
}
