import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useLayoutEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { hasStatus } from '../../api/error.ts';
import { sessionQuery } from '../../api/session.ts';
import { Region, Skeleton } from '../../parts/region.tsx';
import { PlainPage } from '../../shell/plain-page.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';

/** `/console/invitation#<token>`: the token is known to this page only, and is not kept in its address. */
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

/** Takes the token out of the address at once, so that it stays in no history and no bookmark. */
function useTokenOfAddress(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash);
  useLayoutEffect(() => {
    if (hash === '') return;
    setToken(hash);
    void navigate({ to: '.', hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

function Invitation({ token }: { readonly token: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  // the key must not have the token in it: a number of this page's own
  const [id] = useState(() => crypto.randomUUID());
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
