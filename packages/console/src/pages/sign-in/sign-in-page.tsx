import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { PlainPage } from '../../shell/plain-page.tsx';
import { safeRedirect } from '../../url-state/redirect.ts';
import SignInForm from './sign-in-form.tsx';

/** Goes on to the page that asked for a sign-in. */
export default function SignInPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { redirect }: { readonly redirect?: string } = useSearch({ strict: false });
  const goOn = async () => {
    await client.invalidateQueries(sessionQuery);
    await navigate({ href: safeRedirect(redirect), replace: true });
  };
  return (
    <PlainPage title="Sign in">
      <SignInForm onSignedIn={goOn} />
    </PlainPage>
  );
}
