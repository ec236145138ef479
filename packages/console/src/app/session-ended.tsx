import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Skeleton } from '../parts/region.tsx';
import { isSessionEnded, onSessionEnd, setSessionEnded } from './signed-out.ts';

const SignInForm = lazy(() => import('../pages/sign-in/sign-in-form.tsx'));

/** Asks to sign in again over the page, which keeps what was typed. */
export function SessionEnded() {
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
