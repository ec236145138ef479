import type { Passwords } from '../accounts/library-options.ts';

export interface ConsoleOptions {
  /**
   * An account that the sign-in page fills in: for demos only, since it opens the console to
   * everyone who can reach it.
   */
  readonly demo?: { readonly email: string; readonly password: string };
  /** How passwords are hashed; absent = as costly as they have to be. Tests pass a cheap way. */
  readonly passwords?: Passwords;
}
