import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { describeError } from '../api/error.ts';
import { Button } from '../parts/button.tsx';
import { toast } from '../parts/toast.tsx';

/** Ends the session of this browser. */
export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  );
}

/** Ends the session of this browser. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => call('POST /console/api/sign-out'),
    // loads the page again, so that nothing of the session stays in memory
    onSuccess: () => window.location.assign('/console/sign-in'),
    onError: (error) =>
      toast({ text: `You are still signed in: ${describeError(error).detail}`, tone: 'bad' }),
  });
