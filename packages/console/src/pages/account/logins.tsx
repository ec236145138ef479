import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnLogin } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.tsx';
import { Time } from '../../parts/value.tsx';
import { clientPlace } from '../keys/key-words.ts';

const FACTS: readonly Column<OwnLogin>[] = [
  {
    key: 'name',
    title: 'Program',
    isLong: true,
    cell: ({ name, client }) => (
      <>
        {name}
        <div className="soft">{clientPlace(client)}</div>
      </>
    ),
  },
  { key: 'project', title: 'Project', isLong: true, cell: (row) => row.project_name },
  { key: 'may', title: 'May', cell: ({ permissions }) => permissions.join(', ') },
  { key: 'created', title: 'Allowed', cell: (row) => <Time at={row.created_at} /> },
  { key: 'ends', title: 'Ends unless used', cell: (row) => <Time at={row.expires_at} /> },
];

/** The programs that the person let log in to `/mcp`. */
export function Logins() {
  const logins = useQuery(loginsQuery);
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: ({ id }: OwnLogin) =>
      call('DELETE /console/api/account/logins/{login_id}', { params: { login_id: id } }),
    onSuccess: (_, { name }) => toast({ text: `The login of ${name} has ended.` }),
    onError: (error) =>
      toast({ text: `The login was not ended: ${describeError(error).detail}`, tone: 'bad' }),
    onSettled: () => client.invalidateQueries(loginsQuery),
  });
  const columns: readonly Column<OwnLogin>[] = [
    ...FACTS,
    {
      key: 'actions',
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (row) => (
        <Button size="small" onClick={() => end.mutate(row)}>
          End
          <span className="visually-hidden"> the login of {row.name}</span>
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="Programs that log in"
      description="They use the tools of /mcp as you. Ending one takes effect within a second."
    >
      <Region
        query={logins}
        what="Your logins"
        isEmpty={(data) => data.logins.length === 0}
        empty={<EmptyState text="You have let no program log in." />}
      >
        {({ logins: rows }) => (
          <Table
            caption="Programs that log in"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
          />
        )}
      </Region>
    </Section>
  );
}

const loginsQuery = queryOptions({
  queryKey: ['logins'],
  queryFn: ({ signal }) => call('GET /console/api/account/logins', { signal }),
});
