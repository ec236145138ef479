import type { Command } from 'commander';
import type { ServerEntry } from '../program/runtime.ts';

/** `trawl serve` */
export function addServe(program: Command, { runtime }: ServerEntry): void {
  program
    .command('serve')
    .description('start the server with the settings of the environment and .env')
    .option('--port <port>', 'port to listen on, instead of PORT; 0 = any free one')
    .option('--host <address>', 'address to listen on, instead of HOST; 0.0.0.0 = all')
    .action(async ({ host, port }: { host?: string; port?: string }) => {
      const { serve } = await import('../server/serve.ts');
      await serve(async () => {
        const given = await runtime();
        const settings = {
          ...(host === undefined ? {} : { HOST: host }),
          ...(port === undefined ? {} : { PORT: port }),
        };
        return { ...given, environment: { ...given.environment, ...settings } };
      });
    });
}
