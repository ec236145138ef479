import { type Command, Option } from 'commander';

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
