import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../keys/shortcuts.ts';

const CommandList = lazy(() => import('./command-list.tsx'));

/** Cmd/Ctrl+K: pages, projects and shortcuts by name. Loaded when it is first opened. */
export function CommandMenu() {
  const [isOpen, setOpen] = useState(false);
  useShortcuts([
    {
      keys: 'mod+k',
      label: 'Command menu',
      isEverywhere: true,
      run: () => setOpen((before) => !before),
    },
  ]);
  if (!isOpen) return null;
  return (
    <Suspense>
      <CommandList onClose={() => setOpen(false)} />
    </Suspense>
  );
}
