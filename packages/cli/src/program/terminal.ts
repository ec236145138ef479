import { createInterface } from 'node:readline/promises';

/** Where a command talks to people. */
export interface Terminal {
  /** The answer of the command, which can be piped. */
  readonly print: (text: string) => void;
  /** What is not the answer. */
  readonly note: (text: string) => void;
  /** Asks for a yes; null = there is nobody to ask. */
  readonly confirm: (question: string) => Promise<boolean | null>;
}

export const processTerminal: Terminal = {
  print: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(text),
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
