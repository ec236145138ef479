function endProcess(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`trawl: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
}

/**
 * Ends a command whose output cannot be written. A reader may close the pipe early, as head does.
 */
export function endWithOutput(): void {
  process.stdout.on('error', endProcess);
  // with standard error closed the failure cannot be reported, but the work can be finished
  process.stderr.on('error', () => {});
}

/** For servers, which go on without their output. Their log reports what it cannot write. */
export function goOnWithoutOutput(): void {
  process.stdout.off('error', endProcess);
}

/** The same for a server whose output is not its log: says once that it is lost. */
export function sayOutputIsLost(): void {
  let isSaid = false;
  goOnWithoutOutput();
  process.stdout.on('error', ({ message }) => {
    if (isSaid) return;
    isSaid = true;
    process.stderr.write(
      `trawl: standard output cannot be written: ${message}; the server goes on\n`,
    );
  });
}
