import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { hasStatus } from '../../api/error.ts';
import { sessionQuery, stateQuery } from '../../api/session.ts';
import { Note } from '../../parts/note.tsx';
import { PlainPage } from '../../shell/plain-page.tsx';
import { safeRedirect } from '../../url-state/redirect.ts';
import SignInForm from './sign-in-form.tsx';
import { SingleSignOnRefused } from './single-sign-on.tsx';

/** Goes on to the page that asked for a sign-in. */
export default function SignInPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const state = useQuery(stateQuery);
  const { redirect }: { readonly redirect?: string } = useSearch({ strict: false });
  const next = safeRedirect(redirect);
  const [isWithoutCookie, setWithoutCookie] = useState(false);
  if (state.data?.needs_setup) return <Navigate to="/setup" replace />;
  const goOn = async () => {
    // of another person, maybe
    client.removeQueries({ predicate: ({ queryKey: [area] }) => area !== 'state' });
    try {
      await client.fetchQuery(sessionQuery);
    } catch (error) {
      if (!hasStatus(error, 401)) throw error;
      setWithoutCookie(true);
      return;
    }
    // the page of consents is not one of this program
    if (next === '/authorize') window.location.replace('/console/authorize');
    else await navigate({ href: next, replace: true });
  };
  return (
    <PlainPage title="Sign in">
      <SingleSignOnRefused />
      {isWithoutCookie && (
        <Note tone="bad">
          You have signed in, but your browser did not keep the cookie of this address. Allow
          cookies for it, then sign in again.
        </Note>
      )}
      <SignInForm onSignedIn={goOn} returnTo={`/console${next}`} />
    </PlainPage>
  );
}
