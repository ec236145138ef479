import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import { useState } from 'react';
import { callApi } from '../../api/call.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { diffPath } from '../../records/paths.ts';
import { plannedPrice } from '../../requests/planned-price.ts';

const REPLAY = 'POST /v1/interactions/{interaction_id}/replay';

interface ReplayProps {
  readonly project: string;
  readonly session: string;
  readonly interaction: InteractionDetails;
  readonly onClose: () => void;
}

/**
 * Runs a recorded search again and shows what differs. The price is shown before anything is sent.
 */
export function Replay({ project, session, interaction, onClose }: ReplayProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  // a second try after a lost answer gets the first one's
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { interaction_id: id } = interaction;
  const request = { params: { interaction_id: id } };
  const { data: plan, error } = useQuery({
    queryKey: [project, 'replay', id],
    queryFn: ({ signal }) =>
      callApi(project, REPLAY, { ...request, query: { dry_run: true }, signal }),
    retry: false,
    gcTime: 0,
  });
  const run = async () => {
    const answer = await callApi(project, REPLAY, { ...request, idempotencyKey });
    // the session has one more interaction now
    await client.invalidateQueries({ queryKey: [project], refetchType: 'none' });
    if ('dry_run' in answer) return;
    await navigate({ to: diffPath(project, session, id, answer.interaction_id) });
  };
  return (
    <>
      <ConfirmDialog
        title="Search again with the providers of today?"
        effect={`The same queries and options are sent: ${plan && 'dry_run' in plan ? plannedPrice(plan) : ''}. The replay is recorded in this session, and compared with this search.`}
        confirmLabel="Replay"
        isOpen={plan !== undefined}
        onClose={onClose}
        onConfirm={run}
      />
      <Dialog title="This search cannot be replayed" isOpen={error !== null} onClose={onClose}>
        <ErrorNote error={error} />
      </Dialog>
    </>
  );
}
