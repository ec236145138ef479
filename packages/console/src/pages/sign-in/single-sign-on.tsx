import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '@trawl/console-parts/api/session.ts';
import { buttonClass } from '@trawl/console-parts/parts/button.tsx';
import { Icon } from '@trawl/console-parts/parts/icon.tsx';
import { useEffect } from 'react';

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
