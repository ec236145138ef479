/** Exit codes of the client commands. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  auth: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The code for `failed` of `all`: it is a failure when all failed, and with `--strict` also when
 * some did.
 */
export function exitOf(all: number, failed: number, isStrict: boolean): ExitCode {
  if (failed === 0) return EXIT.ok;
  if (failed >= all) return EXIT.failed;
  return isStrict ? EXIT.partial : EXIT.ok;
}
