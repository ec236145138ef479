import type { InteractionDetails } from '@trawl/contract';
import { useMemo } from 'react';
import { useSession } from '../../api/session.ts';
import { useShortcuts } from '../../keys/use-shortcuts.ts';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import type { PlannedRequest } from '../../requests/planned.ts';
import { type Program, programsOf } from '../../requests/programs.ts';
import { requestOfRecord } from '../../requests/record.ts';

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
