import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useKeyboard } from '../keys/shortcuts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Skeleton } from '../parts/region.tsx';
import { Toaster } from '../parts/toast.tsx';
import { TooltipProvider } from '../parts/tooltip.tsx';
import { CommandMenu } from '../shell/command-menu.tsx';
import { DrawerProvider } from '../shell/drawer.tsx';
import { AreaShortcuts, Frame } from '../shell/rail.tsx';
import { ShortcutHelp } from '../shell/shortcut-help.tsx';
import { isSessionEnded, onSessionEnd, setSessionEnded } from './signed-out.ts';

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

const SignInForm = lazy(() => import('../pages/sign-in/sign-in-form.tsx'));

/** Asks to sign in again over the page, which keeps what was typed. */
function SessionEnded() {
  const isOpen = useSyncExternalStore(onSessionEnd, isSessionEnded);
  const client = useQueryClient();
  const goOn = () => {
    setSessionEnded(false);
    void client.invalidateQueries();
  };
  return (
    <Dialog
      title="Sign in again"
      description="Your session has ended. The page behind this dialog keeps what you typed."
      isOpen={isOpen}
      onClose={() => setSessionEnded(false)}
    >
      <Suspense fallback={<Skeleton rows={3} />}>
        <SignInForm onSignedIn={goOn} />
      </Suspense>
    </Dialog>
  );
}

const START = '/console';
const API = `${START}/api`;

/**
 * Plain links to pages of the console, as tables have, go there without loading the console again.
 * Once, in the root.
 */
function useLinks(): void {
  const router = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const url = pageOf(event);
      if (!url) return;
      event.preventDefault();
      router.history.push(url.href.slice(url.origin.length));
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [router]);
}

/**
 * The page of a click; undefined for one that is handled, for another tab, a file, or a page of
 * something else.
 */
function pageOf(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target !== '' || link.hasAttribute('download')) return undefined;
  const url = new URL(link.href);
  const isPage = url.pathname === START || url.pathname.startsWith(`${START}/`);
  const isHere = url.pathname === window.location.pathname && url.hash !== '';
  return url.origin === window.location.origin && isPage && !url.pathname.startsWith(API) && !isHere
    ? url
    : undefined;
}
