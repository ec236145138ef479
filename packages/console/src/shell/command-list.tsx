import { useNavigate, useParams } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useKnownSession } from '../api/session.ts';
import { useShortcutList } from '../keys/shortcuts.ts';
import { classNames } from '../parts/class-names.ts';
import { Icon } from '../parts/icon.tsx';
import layer from '../parts/layer.module.css';
import { chooseTheme, THEMES } from '../parts/theme.ts';
import { useReturnFocus } from '../parts/use-return-focus.ts';
import { encodePlainRequest, LINK_PARAMETER } from '../requests/link.ts';
import styles from './command-list.module.css';
import { AREAS, actionsOf, areaPath } from './navigation.ts';
import { useSignOut } from './sign-out.tsx';
import { THEME_LABELS } from './theme-menu.tsx';

/** The list of the command menu: a chunk of its own. */
export default function CommandList({ onClose }: { readonly onClose: () => void }) {
  const focus = useReturnFocus();
  const [typed, setTyped] = useState('');
  const { project } = useParams({ strict: false });
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
            <Command.Input
              className={styles.input}
              placeholder="A page, project or action; a query, or an id"
              value={typed}
              onValueChange={setTyped}
            />
            <Command.List className={styles.list} label="Commands">
              {/* in a project, what was typed can be searched for */}
              {project === undefined && <Command.Empty>Nothing found.</Command.Empty>}
              <Entries typed={typed.trim()} onClose={onClose} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface EntriesProps {
  readonly typed: string;
  readonly onClose: () => void;
}

function Entries({ typed, onClose }: EntriesProps) {
  const navigate = useNavigate();
  const session = useKnownSession();
  const shortcuts = useShortcutList();
  const signOut = useSignOut();
  const { project } = useParams({ strict: false });
  const run = (work: () => void) => () => {
    onClose();
    work();
  };
  const goTo = (to: string) => run(() => void navigate({ to }));
  const forms = session ? actionsOf(session, project) : [];
  const isForm = (label: string) => forms.some((form) => form.label === label);
  const actions = shortcuts.filter(
    ({ keys, label }) => keys !== 'mod+k' && !keys.startsWith('g ') && !isForm(label),
  );
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
        {forms.map(({ label, icon, to, search }) => (
          <Command.Item
            key={label}
            onSelect={run(() => void navigate({ to, search: search as never }))}
          >
            <Icon name={icon} /> {label}
          </Command.Item>
        ))}
        {actions.map(({ keys, label, run: act }) => (
          <Command.Item key={`${keys} ${label}`} value={label} onSelect={run(act)}>
            <Icon name="keyboard" /> {label}
          </Command.Item>
        ))}
        {THEMES.map((theme) => (
          <Command.Item key={theme} onSelect={run(() => chooseTheme(theme))}>
            <Icon name="theme" /> Theme: {THEME_LABELS[theme].toLowerCase()}
          </Command.Item>
        ))}
        <Command.Item onSelect={run(() => window.location.assign('/docs'))}>
          <Icon name="external" /> Documentation
        </Command.Item>
        {session && (
          <Command.Item onSelect={run(() => signOut.mutate())}>
            <Icon name="account" /> Sign out
          </Command.Item>
        )}
      </Command.Group>
      {project !== undefined && typed !== '' && (
        <Command.Group heading="What you typed" forceMount>
          <Command.Item
            forceMount
            value="find in sessions"
            onSelect={run(
              () =>
                void navigate({
                  to: areaPath(project, 'sessions'),
                  search: { text: typed } as never,
                }),
            )}
          >
            <Icon name="sessions" /> Find “{typed}” in sessions
          </Command.Item>
          <Command.Item
            forceMount
            value="search in the playground"
            onSelect={run(
              () =>
                void navigate({
                  to: areaPath(project, 'playground'),
                  search: { [LINK_PARAMETER]: searchFor(typed) } as never,
                }),
            )}
          >
            <Icon name="play" /> Search for “{typed}” in the playground
          </Command.Item>
        </Command.Group>
      )}
    </>
  );
}

/** A query that is too long for a link opens an empty form. */
const searchFor = (query: string): string =>
  encodePlainRequest({ mode: 'search', body: { user_input: { query } } }) ?? '';
