import { useEffect, useRef, useSyncExternalStore } from 'react';
import {
  addShortcuts,
  currentShortcuts,
  handlePress,
  onShortcutsChange,
  type Shortcut,
} from './registry.ts';

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
