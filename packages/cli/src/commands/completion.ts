import { run } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { commandHere } from '@trawl/client/terminal/manifest';
import { print } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { describeEvaluate } from './evaluate.ts';

/** `trawl completion` */
export function addCompletion(program: Command, environment: Environment): void {
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      `\nTo load it into the running shell: source <(${commandHere()} completion bash)`,
    )
    .action((shell: string) =>
      run(environment, {}, async () => {
        const evaluate = program.commands.find((command) => command.name() === 'evaluate');
        if (evaluate) await describeEvaluate(evaluate, environment);
        printCompletion(program, shell);
        return EXIT.ok;
      }),
    );
}

/** A command: the words that lead to it, and the words that may follow. */
interface Place {
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly string[];
  readonly options: readonly Offered[];
}

interface Offered {
  readonly flag: string;
  readonly description: string;
  readonly choices: readonly string[];
}

/** A script for a shell, made from the commands of the program. */
function printCompletion(program: Command, shell: string): void {
  const script = SCRIPTS[shell];
  if (!script) {
    const message = `"${shell}" is not supported: name bash, zsh or fish`;
    throw new CommandError(EXIT.usage, 'usage', message);
  }
  print(script(placesOf(program, [])));
}

function placesOf(command: Command, path: readonly string[]): readonly Place[] {
  const options = command.options.flatMap(({ long, hidden, description, argChoices = [] }) =>
    long && !hidden ? [{ flag: long, description, choices: argChoices }] : [],
  );
  const help = { flag: '--help', description: 'show help', choices: [] };
  const place: Place = {
    path,
    description: command.description(),
    commands: command.commands.map((inner) => inner.name()),
    options: [...options, help],
  };
  const inner = command.commands.flatMap((each) => placesOf(each, [...path, each.name()]));
  return [place, ...inner];
}

function bashScript(places: readonly Place[]): string {
  // the deepest first: bash takes the first pattern that matches
  const deepestFirst = places.toSorted((a, b) => b.path.length - a.path.length);
  const cases = deepestFirst.map(({ path, commands, options }) => {
    const words = [...commands, ...options.map(({ flag }) => flag)].join(' ');
    const name = path.join(' ');
    const pattern = name === '' ? '*' : `'${name}'|'${name} '*`;
    return `    ${pattern}) words='${words}' ;;`;
  });
  const choices = new Map(
    places.flatMap(({ options }) =>
      options.flatMap(({ flag, choices: of }) => (of.length > 0 ? [[flag, of.join(' ')]] : [])),
    ),
  );
  return `_trawl() {
  local words='' before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${[...choices].map(([flag, words]) => `    ${flag}) words='${words}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _trawl trawl
`;
}

const zshScript = (places: readonly Place[]): string =>
  `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`;

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const when = quoted(seen || '__fish_use_subcommand');
    return [
      ...commands.map((name) => {
        const description = places.find((place) => place.path.join() === [...path, name].join());
        return `complete -c trawl -f -n ${when} -a ${name} -d ${quoted(description?.description ?? '')}`;
      }),
      ...options.map(({ flag, description, choices }) => {
        const values = choices.length > 0 ? ` -xa ${quoted(choices.join(' '))}` : '';
        return `complete -c trawl -n ${when} -l ${flag.slice(2)} -d ${quoted(description)}${values}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
