import { useSignOut } from '../../api/use-sign-out.ts';
import { Button } from '../../parts/button.tsx';

/** Ends the session of this browser. */
export function SignOutButton() {
  const signOut = useSignOut();
  return (
    <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  );
}
