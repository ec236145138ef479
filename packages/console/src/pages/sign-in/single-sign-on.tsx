import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { SINGLE_SIGN_ON_REFUSALS, type SingleSignOnRefusal } from '@trawl/contract/vocabulary';
import { useEffect } from 'react';
import { sessionQuery } from '../../api/session.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Note } from '../../parts/note.tsx';

interface SingleSignOnProps {
  /** The operator's name for it. */
  readonly label: string;
  /** Absent: it opens in a new tab, and the page that it is shown on stays. */
  readonly returnTo: string | undefined;
  readonly onSignedIn: () => void;
}

/** Goes to the page of the identity provider. */
export function SingleSignOn({ label, returnTo, onSignedIn }: SingleSignOnProps) {
  const isNewTab = returnTo === undefined;
  useReturn(isNewTab, onSignedIn);
  const redirect = new URLSearchParams({ redirect: returnTo ?? '/console/account' });
  return (
    <div className="stack-tight">
      <a
        className={buttonClass({ variant: 'primary' })}
        href={`/console/api/single-sign-on?${redirect}`}
        {...(isNewTab ? { target: '_blank', rel: 'noopener' } : {})}
      >
        <Icon name="lock" /> {label}
      </a>
      {isNewTab && (
        <p className="soft">It opens a new tab. Come back to this one when you have signed in.</p>
      )}
    </div>
  );
}

/** Looks for the session that another tab has begun, when the person comes back to this one. */
function useReturn(isOn: boolean, onSignedIn: () => void): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isOn) return undefined;
    const look = async () => {
      const session = await client
        .fetchQuery({ ...sessionQuery, staleTime: 0 })
        .catch(() => undefined);
      if (session) onSignedIn();
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isOn, client, onSignedIn]);
}

const REFUSALS: Readonly<Record<SingleSignOnRefusal, string>> = {
  cancelled: 'Single sign-on was cancelled. Try again, or sign in in another way.',
  email_not_verified:
    'Single sign-on did not confirm your e-mail address. Ask the people who run it to verify the address.',
  invitation_required:
    'There is no account for your e-mail address here. Ask an admin of a project for an invitation.',
  failed: 'Single sign-on failed. Try again; if it fails again, the log of the server says why.',
};

/** Why single sign-on came back without a session, where the address of the page says so. */
export function SingleSignOnRefused() {
  const { error }: { readonly error?: string } = useSearch({ strict: false });
  const reason = SINGLE_SIGN_ON_REFUSALS.find((known) => known === error);
  return reason ? <Note tone="bad">{REFUSALS[reason]}</Note> : null;
}
