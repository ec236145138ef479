import { createInterface } from 'node:readline/promises';
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
