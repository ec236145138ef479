import { spawnSync } from 'node:child_process';

const isMissing = spawnSync('promtool', ['--version']).error !== undefined;

/** Why promtool cannot be run; undefined if it can. */
export const NO_PROMTOOL = isMissing
  ? 'no promtool: it is in the Debian package prometheus'
  : undefined;

/** Runs promtool. @param input what it reads */
export function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}
