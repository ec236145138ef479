import { type Command, Option } from 'commander';

/** Help of `--json` and `--jsonl` for commands that print the server's answer. */
export const API_JSON = "print the API's answer";
export const API_JSONL = 'print one JSON object per line, as they are read';

/** Help of the limits of a key or a project. */
export const RATE_LIMIT = 'most requests per minute, or none';
export const MONTHLY_BUDGET = 'most US dollars per calendar month (UTC), or none';

/** Help of what a key may send to which providers and hosts. */
export const TRAINING = 'deny: only providers whose vendors train no models on what is sent';
export const DOMAINS = 'comma list of the only hosts whose pages it may fetch, or all';

/** The flags of a command that prints what it did. */
export interface Output {
  readonly json?: boolean;
}

/** Collects the values of a flag that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

/** Another spelling of an option: what it is given counts as given to the option. */
class Spelling extends Option {
  readonly #attribute: string;

  constructor(flag: string, attribute: string) {
    super(`${flag} <list>`);
    this.#attribute = attribute;
    this.hideHelp();
  }

  override attributeName(): string {
    return this.#attribute;
  }
}

const SPELLINGS = ['--provider', '--providers', '--include'];

/**
 * Lets a command that takes providers accept each of the names that other commands and other tools
 * have for the option, next to its own.
 */
export function acceptSpellings(command: Command, attribute: 'include' | 'providers'): Command {
  for (const flag of SPELLINGS) {
    if (flag !== `--${attribute}`) command.addOption(new Spelling(flag, attribute));
  }
  return command;
}
