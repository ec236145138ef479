import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentAlert } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { Status, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Note } from '../../parts/note.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Section } from '../../parts/section.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/value.tsx';

const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => call('GET /console/api/alerts', { signal }),
});

const TONES: Readonly<Record<SentAlert['state'], Tone>> = {
  sending: 'neutral',
  delivered: 'good',
  failed: 'bad',
};

const COLUMNS: readonly Column<SentAlert>[] = [
  { key: 'sent', title: 'Sent', cell: (row) => <Time at={row.created_at} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ state }) => <Status tone={TONES[state]}>{state}</Status>,
  },
  {
    key: 'alert',
    title: 'Alert',
    isLong: true,
    cell: ({ message, problem }) => (problem === null ? message : `${message} (${problem})`),
  },
];

/** The alerts that the deployment posted to its operators' webhook. */
export function Alerts() {
  const alerts = useQuery(alertsQuery);
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () => call('POST /console/api/alerts/test', {}),
    onSettled: () => client.invalidateQueries(alertsQuery),
  });
  const isSet = alerts.data?.is_set === true;
  return (
    <Section
      title="Alerts"
      description="Posted to the webhook of this deployment: budgets, refused keys, open circuits, a store that cannot record."
      actions={
        isSet && (
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            Send a test alert
          </Button>
        )
      }
    >
      {test.error && <ErrorNote error={test.error} what="The test alert was not sent" />}
      {test.data && <TestNote problem={test.data.problem} />}
      <Region
        query={alerts}
        what="The alerts"
        isEmpty={(data) => data.alerts.length === 0}
        empty={<NoAlerts isSet={isSet} />}
      >
        {(data) => (
          <Table caption="Alerts" columns={COLUMNS} rows={data.alerts} rowKey={({ id }) => id} />
        )}
      </Region>
    </Section>
  );
}

const TestNote = ({ problem }: { readonly problem: string | null }) => (
  <div role="status">
    <Note tone={problem === null ? 'info' : 'bad'}>
      {problem === null
        ? 'The webhook accepted the test alert.'
        : `The webhook did not accept the test alert: ${problem}.`}
    </Note>
  </div>
);

const NoAlerts = ({ isSet }: { readonly isSet: boolean }) => (
  <EmptyState
    text={
      isSet
        ? 'No alert was sent yet.'
        : 'No webhook is set: set ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET on the server.'
    }
  />
);
