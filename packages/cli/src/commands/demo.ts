import type { Command } from 'commander';
import type { DemoOptions } from '../demo/demo.ts';
import type { ServerEntry } from '../program/runtime.ts';

/** `trawl demo` */
export function addDemo(program: Command, { runtime }: ServerEntry): void {
  program
    .command('demo')
    .description('run a search against simulated providers, then keep serving')
    .option('--once', 'exit after the output')
    .option('--all', 'ask every simulated provider, instead of three')
    .option('--port <port>', 'port to listen on; when absent PORT, then 8080, then a free one')
    .action(async ({ once = false, all = false, port }: Partial<DemoOptions>) => {
      const { demo } = await import('../demo/demo.ts');
      await demo(await runtime(), { once, all, port });
    });
}
