import { Button } from '../../parts/button.tsx';
import { useSignOut } from '../../shell/use-sign-out.ts';

/** Ends the session of this browser. */
export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  );
}
