import type { Command } from 'commander';
import { UsageError } from './usage-error.ts';

/** The commands by what one wants to do; all others operate a server. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Ask:': ['search', 'fetch', 'context', 'watch', 'evaluate'],
  'Read back:': ['sessions', 'history', 'trajectory', 'replay', 'diff', 'usage', 'feedback'],
  'Prove:': ['verify', 'evidence'],
  'Serve:': ['serve', 'demo', 'sandbox', 'mcp', 'providers', 'doctor'],
  'Here:': ['config', 'completion', 'help'],
};
const OTHERS = 'Operate:';

/** Groups the commands in the help of the program, and adds `help` for commands of any depth. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help [command...]')
    .description('show the help of a command')
    .action((names: readonly string[]) => {
      names.reduce(innerOf, program).help();
    });
  for (const command of program.commands) {
    const [group = OTHERS] =
      Object.entries(GROUPS).find(([, names]) => names.includes(command.name())) ?? [];
    command.helpGroup(group);
  }
}

function innerOf(command: Command, name: string): Command {
  const inner = command.commands.find((each) => each.name() === name);
  if (inner) return inner;
  throw new UsageError(`${command.name()} has no command ${name}`);
}
