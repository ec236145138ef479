import { useNavigate } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import { useMemo, useState } from 'react';
import { useIsAllowed } from '../../figures/project.ts';
import { Button } from '../../parts/button.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { isSearch } from '../../records/paths.ts';
import { encodeRequest, LINK_PARAMETER } from '../../requests/link.ts';
import { requestOfRecord } from '../../requests/record.ts';
import { areaPath } from '../../shell/navigation.ts';
import { Compare } from './compare.tsx';
import styles from './interaction.module.css';
import { Replay } from './replay.tsx';

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

const way = (name: string, meaning: string) => (
  <span className={styles.way}>
    {name}
    <small className="soft">{meaning}</small>
  </span>
);
