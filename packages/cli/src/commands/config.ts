import {
  conversationSettings,
  type LoadedSettings,
  loadSettings,
  type SettingName,
} from '@trawl/client/settings';
import { type CommandContext, type CommonFlags, run } from '@trawl/client/terminal/command';
import { print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { rowsText } from '../program/table.ts';

/** `trawl config` */
export function addConfig(program: Command, environment: Environment): void {
  program
    .command('config')
    .description('show the client settings that apply here, and where each comes from')
    .option('--json', 'print JSON')
    .action((flags) => showConfig(environment, flags));
}

const NAMES: readonly SettingName[] = [
  'tier',
  'fields',
  'providersInclude',
  'providersExclude',
  'fullContent',
  'autoRouting',
];

interface Shown {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
  readonly place: string | null;
  /** Places of lower precedence that set it too. */
  readonly overrides: readonly { readonly place: string; readonly value: unknown }[];
}

/**
 * `trawl config`: the settings that apply, where each comes from, and what it overrides. The key
 * itself is never shown.
 */
const showConfig = (environment: Environment, flags: CommonFlags) =>
  run(environment, flags, async (context) => {
    const loaded = loadSettings({ environment });
    const shown = shownSettings(context, loaded);
    if (flags.json) printJson({ settings: shown, files: loaded.files });
    else print(await configText(context, shown, loaded));
    return 0;
  });

function shownSettings(
  { client, environment }: CommandContext,
  { settings, overridden }: LoadedSettings,
): readonly Shown[] {
  const fromVariable = (name: string, variable: string, value: unknown): Shown => {
    const isSet = Boolean(environment[variable]);
    const origin = isSet ? 'environment' : 'default';
    return { name, value, origin, place: isSet ? variable : null, overrides: [] };
  };
  const key = environment.SERVICE_API_KEY ? 'set' : 'not set';
  const { incremental = true } = conversationSettings(environment);
  return [
    fromVariable('baseUrl', 'SERVICE_BASE_URL', client.baseUrl),
    fromVariable('apiKey', 'SERVICE_API_KEY', key),
    ...NAMES.map((name) => {
      const { value = null, origin = 'default', place = null } = settings[name] ?? {};
      const overrides = (overridden[name] ?? []).map((one) => ({
        place: one.place,
        value: one.value,
      }));
      return { name, value, origin, place, overrides };
    }),
    fromVariable('incremental', 'SERVICE_INCREMENTAL', incremental),
  ];
}

async function configText(
  { out }: CommandContext,
  shown: readonly Shown[],
  { files }: LoadedSettings,
): Promise<string> {
  const cells = ({ name, value, origin, place }: Shown): string[] => [
    name,
    valueText(value),
    origin,
    place ?? '',
  ];
  if (!out.isTerminal) {
    const rows = shown.map((one) => [...cells(one), overridesText(one)]);
    return rowsText(out, [], rows);
  }
  const table = await rowsText(
    out,
    [
      ['setting', 18],
      ['value', 0.45],
      ['from', 13],
      ['place', 0.55],
    ],
    shown.map(cells),
  );
  const overriding = shown
    .filter(({ overrides }) => overrides.length > 0)
    .map((one) => `${one.name} overrides ${overridesText(one)}\n`);
  const lines = files.map(
    ({ origin, path, exists }) => `${origin} file  ${path}${exists ? '' : ' (missing)'}\n`,
  );
  return [table, ...overriding, ...lines, ORDER].join('');
}

const overridesText = ({ overrides }: Shown): string =>
  overrides.map(({ place, value }) => `${place}: ${valueText(value)}`).join('; ');

const ORDER = `Precedence: flags of the command, then the project file, the user file, the environment, the default.
For autoRouting the environment comes before both files. baseUrl, apiKey and incremental are read from the environment only.
`;

function valueText(value: unknown): string {
  if (value === null) return '-';
  return Array.isArray(value) ? value.join(',') : String(value);
}
