import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { sessionQuery, stateQuery } from '../../api/session.ts';
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
  if (state.data?.needs_setup) return <Navigate to="/setup" replace />;
  const goOn = async () => {
    // of another person, maybe
    client.removeQueries({ predicate: ({ queryKey: [area] }) => area !== 'state' });
    await client.fetchQuery(sessionQuery);
    // the page of consents is not one of this program
    if (next === '/authorize') window.location.replace('/console/authorize');
    else await navigate({ href: next, replace: true });
  };
  return (
    <PlainPage title="Sign in">
      <SingleSignOnRefused />
      <SignInForm onSignedIn={goOn} returnTo={`/console${next}`} />
    </PlainPage>
  );
}
