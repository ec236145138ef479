import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useKnownSession } from '../api/session.ts';
import { useShortcutList } from '../keys/use-shortcuts.ts';
import { classNames } from '../parts/class-names.ts';
import { Icon } from '../parts/icon.tsx';
import layer from '../parts/layer.module.css';
import { useReturnFocus } from '../parts/use-return-focus.ts';
import styles from './command-list.module.css';
import { AREAS, areaPath } from './navigation.ts';

/** The list of the command menu: a chunk of its own. */
export default function CommandList({ onClose }: { readonly onClose: () => void }) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className={layer.veil} />
        <Dialog.Content
          {...focus}
          className={classNames(layer.dialog, styles.dialog)}
          aria-describedby={undefined}
        >
          <Dialog.Title className="visually-hidden">Command menu</Dialog.Title>
          <Command label="Command menu">
            <Command.Input className={styles.input} placeholder="Go to a page, project or action" />
            <Command.List className={styles.list} label="Commands">
              <Command.Empty>Nothing found.</Command.Empty>
              <Entries onClose={onClose} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Entries({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const session = useKnownSession();
  const shortcuts = useShortcutList();
  const { project } = useParams({ strict: false });
  const run = (work: () => void) => () => {
    onClose();
    work();
  };
  const goTo = (to: string) => run(() => void navigate({ to }));
  const actions = shortcuts.filter(({ keys }) => keys !== 'mod+k' && !keys.startsWith('g '));
  return (
    <>
      {project !== undefined && (
        <Command.Group heading="Pages">
          {AREAS.flat().map(({ path, label, icon }) => (
            <Command.Item key={path} onSelect={goTo(areaPath(project, path))}>
              <Icon name={icon} /> {label}
            </Command.Item>
          ))}
        </Command.Group>
      )}
      {session && (
        <Command.Group heading="Projects">
          {session.projects.map(({ id, name }) => (
            <Command.Item
              key={id}
              value={`project ${name} ${id}`}
              onSelect={goTo(areaPath(id, 'overview'))}
            >
              <Icon name="folder" /> {name}
            </Command.Item>
          ))}
          <Command.Item onSelect={goTo('/projects')}>
            <Icon name="folder" /> All projects
          </Command.Item>
          <Command.Item onSelect={goTo('/account')}>
            <Icon name="account" /> Account
          </Command.Item>
        </Command.Group>
      )}
      <Command.Group heading="Actions">
        {actions.map(({ keys, label, run: act }) => (
          <Command.Item key={`${keys} ${label}`} value={label} onSelect={run(act)}>
            <Icon name="keyboard" /> {label}
          </Command.Item>
        ))}
      </Command.Group>
    </>
  );
}
