import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callApi } from '../../api/call.ts';
import { useIsAllowed, useProjectId } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Note } from '../../parts/note.tsx';
import { moneyText } from '../../parts/number-text.ts';
import { durationText } from '../../parts/time-text.ts';
import type { ProviderStatus } from './provider-query.ts';

const PROBE = 'POST /v1/providers/{name}/probe';

type Price = Extract<Awaited<ReturnType<typeof callApi<typeof PROBE>>>, { dry_run: true }>;
type Finding = Exclude<Awaited<ReturnType<typeof callApi<typeof PROBE>>>, { dry_run: true }>;

/** Asks the provider once. The price is shown before anything is sent. */
export function Probe({ provider }: { readonly provider: ProviderStatus }) {
  const project = useProjectId();
  const client = useQueryClient();
  const mayProbe = useIsAllowed('admin');
  const [price, setPrice] = useState<Price>();
  const [finding, setFinding] = useState<Finding>();
  const [error, setError] = useState<unknown>();
  const [isAsking, setAsking] = useState(false);
  const { slug, operation } = provider;
  const request = { params: { name: slug }, body: { operation } };

  const readPrice = async () => {
    setAsking(true);
    setError(undefined);
    try {
      const answer = await callApi(project, PROBE, { ...request, query: { dry_run: true } });
      if ('dry_run' in answer) setPrice(answer);
    } catch (failure) {
      setError(failure);
    } finally {
      setAsking(false);
    }
  };
  const run = async () => {
    const answer = await callApi(project, PROBE, request);
    if (!('dry_run' in answer)) setFinding(answer);
    await client.invalidateQueries({ queryKey: ['providers', project] });
  };

  if (!mayProbe) {
    return <p className="soft">A probe costs what a call costs: it needs the role admin.</p>;
  }
  return (
    <div className="stack-tight">
      <div>
        <Button
          icon="play"
          isBusy={isAsking}
          disabled={provider.credential === 'missing'}
          onClick={readPrice}
        >
          Probe…
        </Button>
      </div>
      {error !== undefined && <ErrorNote error={error} what="The probe could not be planned" />}
      {finding && <FindingNote finding={finding} project={project} />}
      <ConfirmDialog
        title={`Probe ${operation} of ${slug}?`}
        effect={`${operation === 'search' ? 'One search for one row' : 'One page'} is sent to ${slug}. ${priceText(price)} It is booked to this project and recorded as an interaction.`}
        confirmLabel="Run the probe"
        isOpen={price !== undefined}
        onClose={() => setPrice(undefined)}
        onConfirm={run}
      />
    </div>
  );
}

function priceText(price: Price | undefined): string {
  const [call] = price?.calls ?? [];
  if (!call || call.cost_usd === null) return 'What it costs is not known.';
  if (call.cost_usd === 0) return 'It costs nothing.';
  const amount = moneyText(call.cost_usd);
  return call.cost_kind === 'known' ? `It costs ${amount}.` : `It costs about ${amount}.`;
}

function FindingNote({
  finding,
  project,
}: {
  readonly finding: Finding;
  readonly project: string;
}) {
  const { status, error, latency_ms, key_tail, cost_usd, session_id, interaction_id } = finding;
  const works = status === 'works';
  const cost = cost_usd === null ? 'cost not known' : moneyText(cost_usd);
  const key = key_tail === null ? '' : `, with the key …${key_tail}`;
  const time = latency_ms === null ? 'nothing was sent' : durationText(latency_ms);
  return (
    <div role="status">
      <Note tone={works ? 'info' : status === 'failed' ? 'bad' : 'warn'}>
        <p>
          {works ? 'It works' : `${error?.code}: ${error?.message}`} ({time}, {cost}
          {key}).
        </p>
        <p>
          <Link to={`/p/${project}/sessions/${session_id}/${interaction_id}`}>
            What was sent and what came back
          </Link>
        </p>
      </Note>
    </div>
  );
}
