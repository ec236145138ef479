import { useState } from 'react';
import {
  areSingleKeysOn,
  switchSingleKeys,
  useShortcutList,
  useShortcuts,
} from '../keys/shortcuts.ts';
import { Switch } from '../parts/choice.tsx';
import { Dialog } from '../parts/dialog.tsx';
import styles from './shortcut-help.module.css';

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/**
 * `?`: what works on this page, and the switch for single keys. `/` moves the focus to the page's
 * search.
 */
export function ShortcutHelp() {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([
    { keys: '?', label: 'Show the keyboard shortcuts', run: () => setOpen(true) },
    {
      keys: '/',
      label: 'Search this page',
      run: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    },
  ]);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
      <List />
    </Dialog>
  );
}

function List() {
  const shortcuts = useShortcutList();
  const isOn = areSingleKeysOn();
  return (
    <>
      <Switch
        label="Single keys"
        hint="Switch them off if something types for you, such as speech input. Cmd or Ctrl with a key always works."
        checked={isOn}
        onChange={switchSingleKeys}
      />
      <dl className={styles.list}>
        {shortcuts.map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{shownKey(key)}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const shownKey = (key: string): string =>
  key.length === 1 ? key : key.replace('mod+', isMac ? '⌘ ' : 'Ctrl ').replace('Shift+', 'Shift ');
