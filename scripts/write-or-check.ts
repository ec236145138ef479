import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Ends a generator: writes its files, or with `--check` on the command line compares them. Prints
 * what changed, or what is out of date; the latter sets exit code 1.
 * @param made Texts by path, from the repository's root.
 * @param command What makes them up to date, for the message.
 */
export function writeOrCheck(made: ReadonlyMap<string, string>, command: string): void {
  const isCheck = process.argv.includes('--check');
  const changed = [...made].filter(
    ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  );
  for (const [path, text] of changed) {
    if (!isCheck) writeFileSync(path, text);
    console.log(isCheck ? `${path} is out of date: run ${command}` : `wrote ${path}`);
  }
  if (isCheck && changed.length > 0) process.exitCode = 1;
  else if (changed.length === 0) console.log(`${made.size} files are up to date`);
}
