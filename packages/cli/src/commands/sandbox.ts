import { inspect } from 'node:util';
import { sayOutputIsLost } from '@trawl/client/terminal/standard-output';
import type { Command } from 'commander';
import { endSoon, isPortTaken } from '../program/failures.ts';
import { untilStopped } from '../program/signals.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl sandbox` */
export function addSandbox(program: Command): void {
  program
    .command('sandbox')
    .description('serve the simulated providers alone, for your own tests')
    .option('--port <port>', 'port to listen on', '8090')
    .action(({ port }: { port: string }) => sandbox(port));
}

/** Serves the simulated providers and prints the settings that point a server at them. */
async function sandbox(port: string): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError('--port takes 0 to 65535');
  const { startSandbox } = await import('@trawl/sandbox');
  const { idleSettings } = await import('@trawl/server');
  const running = await startSandbox({ port: Number(port) }).catch((cause: unknown) => {
    if (!isPortTaken(cause)) throw cause;
    throw new UsageError(
      `port ${port} is in use: stop the other process, or choose another --port`,
    );
  });
  sayOutputIsLost();
  process.stderr.write('SIMULATED PROVIDERS: every result below this address is made up.\n');
  // a key for a provider that needs none would be a setting without effect
  for (const vendor of running.vendors) {
    const lines = Object.entries(running.settings(vendor, 'sandbox'))
      .filter(([name, value]) => idleSettings({ [name]: value }).length === 0)
      .map(([name, value]) => `${name}=${value}\n`);
    process.stdout.write(lines.join(''));
  }
  await untilStopped(
    () => running.stop(),
    (error, what) => process.stderr.write(`trawl: ${what}: ${inspect(error)}\n`),
  );
  endSoon();
}
