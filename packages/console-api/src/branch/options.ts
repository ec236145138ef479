export interface ConsoleOptions {
  /** An account that the sign-in page fills in: for demos only, since it opens the console to everyone who can reach it. */
  readonly demo?: { readonly email: string; readonly password: string };
}
