import type { Command } from 'commander';
import type { ServerEntry } from '../program/runtime.ts';

/** `trawl doctor` */
export function addDoctor(program: Command, { runtime }: ServerEntry): void {
  program
    .command('doctor')
    .description(
      'check settings, machine, database, server and providers; exits with 1 on a problem',
    )
    .option('--probe [names]', 'call every configured provider once, or those of a comma list')
    .option('--page <url>', 'page to ask fetch providers for', 'https://example.com/')
    .option('--yes', 'make the calls of --probe without confirmation')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { doctor } = await import('../doctor/doctor.ts');
      if (!(await doctor(await runtime(), options))) process.exitCode = 1;
    });
}
