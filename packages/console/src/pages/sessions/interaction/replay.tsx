import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DryRun, InteractionDetails } from '@trawl/contract';
import { useState } from 'react';
import { callApi } from '../../../api/call.ts';
import { useIsAllowed } from '../../../figures/project.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { plannedPrice } from '../../../requests/planned-price.ts';
import { diffPath, isSearch } from '../shared/words.ts';

const REPLAY = 'POST /v1/interactions/{interaction_id}/replay';

interface ReplayProps {
  readonly project: string;
  readonly session: string;
  readonly interaction: InteractionDetails;
}

interface Plan {
  readonly price: DryRun;
  /** A second try after a lost answer gets the first one's. */
  readonly idempotencyKey: string;
}

/**
 * Runs a recorded search again and shows what differs. The price is shown before anything is sent.
 */
export function Replay({ project, session, interaction }: ReplayProps) {
  const mayReplay = useIsAllowed('member');
  const client = useQueryClient();
  const navigate = useNavigate();
  const [plan, setPlan] = useState<Plan>();
  const [error, setError] = useState<unknown>();
  const [isAsking, setAsking] = useState(false);
  if (!mayReplay || !isSearch(interaction)) return null;
  const { interaction_id: id } = interaction;
  const request = { params: { interaction_id: id } };
  const readPrice = async () => {
    setAsking(true);
    try {
      const answer = await callApi(project, REPLAY, { ...request, query: { dry_run: true } });
      if ('dry_run' in answer) setPlan({ price: answer, idempotencyKey: crypto.randomUUID() });
    } catch (failure) {
      setError(failure);
    } finally {
      setAsking(false);
    }
  };
  const run = async () => {
    const idempotencyKey = plan?.idempotencyKey;
    const answer = await callApi(project, REPLAY, { ...request, idempotencyKey });
    // the session has one more interaction now
    await client.invalidateQueries({ queryKey: [project], refetchType: 'none' });
    if ('dry_run' in answer) return;
    await navigate({ to: diffPath(project, session, id, answer.interaction_id) });
  };
  return (
    <>
      <Button icon="refresh" isBusy={isAsking} onClick={readPrice}>
        Replay…
      </Button>
      <ConfirmDialog
        title="Search again with the providers of today?"
        effect={`The same queries and options are sent: ${plan ? plannedPrice(plan.price) : ''}. The replay is recorded in this session, and compared with this search.`}
        confirmLabel="Replay"
        isOpen={plan !== undefined}
        onClose={() => setPlan(undefined)}
        onConfirm={run}
      />
      <Dialog
        title="This search cannot be replayed"
        isOpen={error !== undefined}
        onClose={() => setError(undefined)}
      >
        <ErrorNote error={error} />
      </Dialog>
    </>
  );
}
