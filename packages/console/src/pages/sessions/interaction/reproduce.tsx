import { Link } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useShortcuts } from '../../../keys/use-shortcuts.ts';
import { Button, buttonClass } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { toast } from '../../../parts/toast.tsx';
import { encodeRequest, LINK_PARAMETER } from '../../../requests/link.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';
import { type Program, programsOf } from '../../../requests/programs.ts';
import { requestOfRecord } from '../../../requests/record.ts';
import { areaPath } from '../../../shell/navigation.ts';

interface ReproduceProps {
  readonly project: string;
  readonly interaction: InteractionDetails;
}

/** Copies the command that repeats a recorded request, or opens it in the playground. */
export function Reproduce({ project, interaction }: ReproduceProps) {
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
  const link = usePlaygroundLink(request);
  if (!request) return null;
  return (
    <>
      <Menu
        trigger={<Button icon="copy">Copy as</Button>}
        items={ways.map(({ label, keys, run }) => ({ label: `${label} (${keys})`, onSelect: run }))}
      />
      {link !== null && (
        <Link
          className={buttonClass({ variant: 'primary' })}
          to={areaPath(project, 'playground')}
          search={{ [LINK_PARAMETER]: link } as never}
        >
          <Icon name="play" />
          Run again
        </Link>
      )}
    </>
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

/** null: it is being made, or the request is too long for an address. */
function usePlaygroundLink(request: PlannedRequest | null): string | null {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setLink(null);
    if (request) void encodeRequest(request).then((made) => isCurrent && setLink(made));
    return () => {
      isCurrent = false;
    };
  }, [request]);
  return link;
}
