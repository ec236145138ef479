import { Outlet } from '@tanstack/react-router';
import { useKeyboard } from '../keys/use-shortcuts.ts';
import { Toaster } from '../parts/toast.tsx';
import { TooltipProvider } from '../parts/tooltip.tsx';
import { CommandMenu } from '../shell/command-menu.tsx';
import { DrawerProvider } from '../shell/drawer.tsx';
import { AreaShortcuts, Frame } from '../shell/rail.tsx';
import { ShortcutHelp } from '../shell/shortcut-help.tsx';
import { SessionEnded } from './session-ended.tsx';
import { useLinks } from './use-links.ts';

/** What every page has. */
export function Root() {
  useKeyboard();
  useLinks();
  return (
    <TooltipProvider>
      <Outlet />
      <ShortcutHelp />
      <Toaster />
    </TooltipProvider>
  );
}

/** What pages behind the sign-in have. */
export function SignedIn() {
  return (
    <DrawerProvider>
      <Frame>
        <Outlet />
      </Frame>
      <CommandMenu />
      <SessionEnded />
    </DrawerProvider>
  );
}

export function InProject({ project }: { readonly project: string }) {
  return (
    <>
      <AreaShortcuts key={project} project={project} />
      <Outlet />
    </>
  );
}
