export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of this process; none in a runtime without them. */
export function environmentHere(): Environment {
  const { process: here } = globalThis as { readonly process?: { readonly env?: Environment } };
  return here?.env ?? {};
}
