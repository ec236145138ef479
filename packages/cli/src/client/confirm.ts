import { processTerminal } from '../program/terminal.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/**
 * Asks before something is paid for.
 * @param undone what did not happen without a yes, such as `not fetched`
 * @param withYes what `--yes` does, such as `fetches them`
 * @throws CommandError without a yes
 */
export async function confirm(question: string, undone: string, withYes: string): Promise<void> {
  const answer = await processTerminal.confirm(question);
  if (answer) return;
  const message = answer === null ? `${undone}: --yes ${withYes} without a question` : undone;
  throw new CommandError(EXIT.usage, 'usage', message);
}
