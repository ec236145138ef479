import { createInterface } from 'node:readline/promises';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { note, print } from './output.ts';

/** How a command talks to people. */
export interface Terminal {
  /** Prints the result of the command, which can be piped. */
  readonly print: (text: string) => void;
  /** Prints everything else. */
  readonly note: (text: string) => void;
  /** Asks for a yes; null = standard input is not a terminal. */
  readonly confirm: (question: string) => Promise<boolean | null>;
}

export const processTerminal: Terminal = {
  print,
  note,
  confirm: async (question) => {
    if (!process.stdin.isTTY) return null;
    const reader = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
    } finally {
      reader.close();
    }
  },
};

/**
 * Asks before something is paid for.
 * @param undone what does not happen without a yes, such as `not fetched`
 * @param withYes what `--yes` does, such as `fetches them`
 * @returns whether the answer is yes
 * @throws CommandError where standard input is not a terminal
 */
export async function isConfirmed(
  question: string,
  undone: string,
  withYes: string,
  terminal = processTerminal,
): Promise<boolean> {
  const answer = await terminal.confirm(question);
  if (answer !== null) return answer;
  throw new CommandError(EXIT.usage, 'usage', `${undone}: --yes ${withYes} without a question`);
}

/** The same for a command that ends without a yes. @throws CommandError */
export async function confirm(question: string, undone: string, withYes: string): Promise<void> {
  if (await isConfirmed(question, undone, withYes)) return;
  throw new CommandError(EXIT.usage, 'usage', undone);
}
