import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isTyping, pressName } from './hotkey.ts';

export interface Shortcut {
  /** As `pressName` writes it, or two of them for a chord: `g s`. */
  readonly keys: string;
  /** What it does, for the list of shortcuts: «Next row». */
  readonly label: string;
  readonly run: () => void;
  /** Works while a dialog is open, or while text is typed. */
  readonly isEverywhere?: boolean;
}

/**
 * Shortcuts that work while the calling component is shown. The keys and labels of the first call
 * count.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], isOn = true): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    if (!isOn) return undefined;
    const added = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }));
    return addShortcuts(added);
  }, [isOn]);
}

/** All that work now, for the list of shortcuts. */
export const useShortcutList = (): readonly Shortcut[] =>
  useSyncExternalStore(onShortcutsChange, currentShortcuts);

/** Listens to the keyboard. Once, in the root of the app. */
export function useKeyboard(): void {
  useEffect(() => {
    document.addEventListener('keydown', handlePress);
    return () => document.removeEventListener('keydown', handlePress);
  }, []);
}

/** Time between the two keys of a chord. */
const CHORD_MS = 1_200;
const SWITCH = 'trawl.single-key-shortcuts';

const shortcuts: Shortcut[] = [];
const listeners = new Set<() => void>();
let list: readonly Shortcut[] = [];
let first: { readonly key: string; readonly at: number } | undefined;

/**
 * Adds shortcuts until the returned function is called. Of two with equal keys, the later one
 * works.
 */
function addShortcuts(added: readonly Shortcut[]): () => void {
  shortcuts.push(...added);
  changed();
  return () => {
    for (const shortcut of added) {
      const at = shortcuts.indexOf(shortcut);
      if (at >= 0) shortcuts.splice(at, 1);
    }
    changed();
  };
}

function changed(): void {
  list = [...shortcuts];
  for (const listener of listeners) listener();
}

const currentShortcuts = (): readonly Shortcut[] => list;

function onShortcutsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Single keys can be switched off, for people whose speech input types them (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => localStorage.getItem(SWITCH) !== 'off';

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SWITCH);
  else localStorage.setItem(SWITCH, 'off');
  changed();
}

const isDialogOpen = (): boolean =>
  document.querySelector('[role="dialog"][data-state="open"], [role="alertdialog"]') !== null;

/** Runs the shortcut of a press, if there is one. */
function handlePress(event: KeyboardEvent): void {
  const name = pressName(event);
  if (name === undefined) return;
  const found = matching(name);
  if (!found || !isHeard(found, name, event.target)) return;
  event.preventDefault();
  found.run();
}

function matching(name: string): Shortcut | undefined {
  const now = performance.now();
  const chord = first && now - first.at < CHORD_MS ? `${first.key} ${name}` : undefined;
  const find = (keys: string) => shortcuts.findLast((shortcut) => shortcut.keys === keys);
  const found = (chord === undefined ? undefined : find(chord)) ?? find(name);
  const isBeginning = shortcuts.some(({ keys }) => keys.startsWith(`${name} `));
  first = !found && isBeginning ? { key: name, at: now } : undefined;
  return found;
}

function isHeard({ isEverywhere = false }: Shortcut, name: string, target: unknown): boolean {
  if (isEverywhere) return true;
  if (isDialogOpen()) return false;
  if (name.startsWith('mod+')) return true;
  if (isTyping(target)) return false;
  return name === 'Escape' || areSingleKeysOn();
}
