import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignIn } from '@trawl/contract/console';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { NotReported, Time } from '../../parts/value.tsx';

const BROWSER: Column<SignIn> = {
  key: 'browser',
  title: 'Browser',
  cell: ({ user_agent: agent, is_current: isCurrent }) => (
    <span className="row">
      {agent === null ? <NotReported /> : <span title={agent}>{browserText(agent)}</span>}
      {isCurrent && <Badge tone="accent">this browser</Badge>}
    </span>
  ),
};
const FACTS: readonly Column<SignIn>[] = [
  BROWSER,
  {
    key: 'ip',
    title: 'Address',
    cell: ({ ip }) => (ip === null ? <NotReported /> : <span className="mono">{ip}</span>),
  },
  { key: 'created', title: 'Signed in', cell: (row) => <Time at={row.created_at} /> },
  { key: 'used', title: 'Last used', cell: (row) => <Time at={row.last_used_at} /> },
  { key: 'expires', title: 'Ends', cell: (row) => <Time at={row.expires_at} /> },
];

/** What is about to end: one sign-in, or all but this one. */
type Ending = SignIn | 'others' | undefined;

/** The browsers in which the person is signed in. */
export function SignIns() {
  const signIns = useQuery(signInsQuery);
  const [ending, setEnding] = useState<Ending>();
  const hasOthers = signIns.data?.sign_ins.some((row) => !row.is_current) ?? false;
  const columns: readonly Column<SignIn>[] = [
    ...FACTS,
    {
      key: 'actions',
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (row) =>
        row.is_current ? null : (
          <Button size="small" onClick={() => setEnding(row)}>
            Revoke
            <span className="visually-hidden"> the sign-in of {nameOf(row)}</span>
          </Button>
        ),
    },
  ];
  return (
    <Section
      title="Sign-ins"
      description="Revoke what you do not know, then change your password."
      actions={
        hasOthers && <Button onClick={() => setEnding('others')}>Sign out everywhere else</Button>
      }
    >
      <Region
        query={signIns}
        what="Your sign-ins"
        isEmpty={(data) => data.sign_ins.length === 0}
        empty={<EmptyState text="You are not signed in anywhere." />}
      >
        {({ sign_ins: rows }) => (
          <Table caption="Sign-ins" columns={columns} rows={rows} rowKey={({ id }) => id} />
        )}
      </Region>
      <EndDialog ending={ending} onClose={() => setEnding(undefined)} />
    </Section>
  );
}

const nameOf = ({ user_agent: agent, ip }: SignIn): string =>
  [agent === null ? 'an unknown browser' : browserText(agent), ip].filter(Boolean).join(', ');

interface EndDialogProps {
  readonly ending: Ending;
  readonly onClose: () => void;
}

function EndDialog({ ending, onClose }: EndDialogProps) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: (which: SignIn | 'others') =>
      which === 'others'
        ? call('DELETE /console/api/account/sign-ins')
        : call('DELETE /console/api/account/sign-ins/{sign_in_id}', {
            params: { sign_in_id: which.id },
          }),
    onSettled: () => client.invalidateQueries(signInsQuery),
  });
  const isOne = ending !== 'others' && ending !== undefined;
  return (
    <ConfirmDialog
      title={isOne ? `Revoke the sign-in of ${nameOf(ending)}?` : 'Sign out everywhere else?'}
      effect="The console asks for your password there at the next step. What is typed there is kept."
      confirmLabel={isOne ? 'Revoke' : 'Sign out everywhere else'}
      isDanger
      isOpen={ending !== undefined}
      onClose={onClose}
      onConfirm={async () => ending && end.mutateAsync(ending)}
    />
  );
}

/** Where the person is signed in. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => call('GET /console/api/account/sign-ins', { signal }),
});

/**
 * Of names that occur together, the first one counts: Edge also says Chrome, and Chrome also says
 * Safari.
 */
const BROWSERS: readonly (readonly [string, string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const SYSTEMS: readonly (readonly [string, string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** `Firefox on Linux`; the beginning of the text for what is not known. */
export function browserText(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([sign]) => userAgent.includes(sign))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (userAgent.length > 40 ? `${userAgent.slice(0, 40)}…` : userAgent);
}
