import { Link } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useShortcuts } from '../../../keys/use-shortcuts.ts';
import { Button, buttonClass } from '../../../parts/button.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { toast } from '../../../parts/toast.tsx';
import { type Commands, commandsOf } from '../../../requests/commands.ts';
import { encodeRequest, LINK_PARAMETER } from '../../../requests/link.ts';
import type { PlannedRequest } from '../../../requests/planned.ts';
import { requestOfRecord } from '../../../requests/record.ts';
import { areaPath } from '../../../shell/navigation.ts';

const WAYS = [
  ['cli', 'c i', 'command line'],
  ['curl', 'c c', 'curl'],
  ['typescript', 'c t', 'TypeScript'],
  ['python', 'c p', 'Python'],
  ['mcp', 'c m', 'MCP call'],
] as const satisfies readonly (readonly [keyof Commands, string, string])[];

interface ReproduceProps {
  readonly project: string;
  readonly interaction: InteractionDetails;
}

/** Copies the command that repeats a recorded request, or opens it in the playground. */
export function Reproduce({ project, interaction }: ReproduceProps) {
  const { server } = useSession();
  const request = useMemo(() => requestOfRecord(interaction), [interaction]);
  const commands = useMemo(
    () => request && commandsOf(request, server.base_url),
    [request, server.base_url],
  );
  const copy = (way: keyof Commands, name: string) => {
    if (commands) void copyCommand(commands[way], name, request);
  };
  useShortcuts(
    WAYS.map(([way, keys, name]) => ({
      keys,
      label: `Copy as ${name}`,
      run: () => copy(way, name),
    })),
  );
  const link = usePlaygroundLink(request);
  if (!request) return null;
  return (
    <>
      <Menu
        trigger={<Button icon="copy">Copy as</Button>}
        items={WAYS.map(([way, keys, name]) => ({
          label: `${name} (${keys})`,
          onSelect: () => copy(way, name),
        }))}
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

async function copyCommand(
  { text, leftOut }: Commands['cli'],
  name: string,
  request: PlannedRequest | null,
): Promise<void> {
  // the record of a search does not have them
  const unknown = request?.mode === 'search' ? ['num_results', 'provider_overrides'] : [];
  const missing = [...leftOut, ...unknown];
  const rest = missing.length > 0 ? ` It leaves out: ${missing.join(', ')}.` : '';
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
