import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import { isSearchInput } from '@trawl/contract/vocabulary';
import { useMemo, useState } from 'react';
import { callApi } from '../../api/call.ts';
import { useIsAllowed, useSession } from '../../api/session.ts';
import { useShortcuts } from '../../keys/shortcuts.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { diffPath } from '../../records/paths.ts';
import { encodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import { type PlannedRequest, plannedPrice } from '../../requests/planned.ts';
import { type Program, programsOf } from '../../requests/programs.ts';
import { requestOfRecord } from '../../requests/record.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Compare } from './compare.tsx';
import styles from './interaction.module.css';

interface AgainProps {
  readonly project: string;
  readonly session: string;
  readonly interaction: InteractionDetails;
}

/** All that asks the same again, or compares it, with a line each that says how they differ. */
export function Again(props: AgainProps) {
  const { project, interaction } = props;
  const request = useMemo(() => requestOfRecord(interaction), [interaction]);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'replay' | 'compare'>();
  const [isMember, isAdmin] = [useIsAllowed('member'), useIsAllowed('admin')];
  if (!request) return null;
  const open = async (area: string, search: Record<string, string>) => {
    const link = await encodeRequest(request);
    if (link === null) toast({ text: 'The request is too long for an address.', tone: 'bad' });
    else {
      const to = areaPath(project, area);
      await navigate({ to, search: { ...search, [LINK_PARAMETER]: link } as never });
    }
  };
  const items: readonly MenuItem[] = [
    {
      icon: 'play',
      label: way('Run again', 'Opens the playground with this request, to change it first.'),
      onSelect: () => void open('playground', {}),
    },
    ...(isMember && isSearch(interaction)
      ? [
          {
            icon: 'refresh' as const,
            label: way('Replay', 'Sends it as it was to the providers of today, and compares.'),
            onSelect: () => setOpened('replay'),
          },
        ]
      : []),
    ...(isSearch(interaction)
      ? [
          {
            icon: 'sort' as const,
            label: way('Compare', 'With any other search of the project. Nothing is sent.'),
            onSelect: () => setOpened('compare'),
          },
        ]
      : []),
    ...(isAdmin
      ? [
          {
            icon: 'live' as const,
            label: way('Watch', 'Asks it again and again, and says what is new.'),
            onSelect: () => void open('watches', { create: '1' }),
          },
        ]
      : []),
  ];
  const close = () => setOpened(undefined);
  return (
    <>
      <Menu
        trigger={
          <Button variant="primary" icon="refresh">
            Again
          </Button>
        }
        items={items}
      />
      {opened === 'replay' && <Replay {...props} onClose={close} />}
      {opened === 'compare' && <Compare {...props} onClose={close} />}
    </>
  );
}

/** Whether an interaction asked for something to be searched. */
const isSearch = ({ user_input: input }: InteractionDetails): boolean => isSearchInput(input);

const way = (name: string, meaning: string) => (
  <span className={styles.way}>
    {name}
    <small className="soft">{meaning}</small>
  </span>
);

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
function Replay({ project, session, interaction, onClose }: ReplayProps) {
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

interface ReproduceProps {
  readonly interaction: InteractionDetails;
}

/** Copies the command that repeats a recorded request. */
export function Reproduce({ interaction }: ReproduceProps) {
  const { server } = useSession();
  const request = useMemo(() => requestOfRecord(interaction), [interaction]);
  const programs = useMemo(
    () => (request ? programsOf(request, server.base_url) : []),
    [request, server.base_url],
  );
  const ways = programs.map((program) => ({
    label: `Copy as ${program.name}`,
    keys: `c ${program.name.charAt(0).toLowerCase()}`,
    run: () => void copyProgram(program, request),
  }));
  useShortcuts(ways);
  if (!request) return null;
  return (
    <Menu
      trigger={<Button icon="copy">Copy as</Button>}
      items={ways.map(({ label, keys, run }) => ({ label: `${label} (${keys})`, onSelect: run }))}
    />
  );
}

async function copyProgram({ name, text }: Program, request: PlannedRequest | null): Promise<void> {
  // the record of a search does not have them
  const rest = request?.mode === 'search' ? ' It leaves out: num_results, provider_overrides.' : '';
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: `Copied as ${name}.${rest}` });
  } catch {
    toast({ text: 'The browser did not allow to copy', tone: 'bad' });
  }
}
