import type { PerCallOptions } from '@trawl/client/settings';

/** A search with settings in some places, and what is sent for it. */
export interface SettingsCase {
  readonly name: string;
  /**
   * The project's file: JSON, its text, or its bytes. The search runs in a folder below it, inside
   * a repository.
   */
  readonly project?: object | string;
  /** The user's file. */
  readonly user?: object | string;
  /**
   * Other files, by their path below the folder of the case. The working directory is
   * `project/deep/below`.
   */
  readonly files?: Readonly<Record<string, object>>;
  /** `FOLDER` in a value is the folder of the case. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of the call. */
  readonly call?: PerCallOptions;
  /** The `search` block that is sent. */
  readonly sent?: object;
  /** Nothing is sent: parts of the error. `FOLDER` is the folder of the case. */
  readonly error?: readonly string[];
}

const PROJECT = 'FOLDER/project/trawl.config.json';
const USER = 'FOLDER/home/.config/trawl/config.json';
const include = (...names: readonly string[]) => ({ providers: { include: names } });
const exclude = (...names: readonly string[]) => ({ providers: { exclude: names } });

/** A key in one place after the other, the strongest last, each with what is sent then. */
interface Ladder {
  readonly key: string;
  readonly environment: readonly [text: string, sent: object];
  readonly user: readonly [value: unknown, sent: object];
  readonly project: readonly [value: unknown, sent: object];
  readonly call: readonly [options: PerCallOptions, sent: object];
}

const LADDERS: readonly Ladder[] = [
  {
    key: 'tier',
    environment: ['minimalist', { tier: 'minimalist' }],
    user: ['extended', { tier: 'extended' }],
    project: ['default', { tier: 'default' }],
    call: [{ tier: 'max' }, { tier: 'max' }],
  },
  {
    key: 'fields',
    environment: ['url, summary', { fields: ['url', 'summary'] }],
    user: [['rank', 'url'], { fields: ['rank', 'url'] }],
    project: [['title'], { fields: ['title'] }],
    call: [{ fields: ['url'] }, { fields: ['url'] }],
  },
  {
    key: 'providersInclude',
    environment: ['exa, brave', include('exa', 'brave')],
    user: [['tavily'], include('tavily')],
    project: [['linkup'], include('linkup')],
    call: [include('seltz'), include('seltz')],
  },
  {
    key: 'providersExclude',
    environment: ['exa,brave', exclude('exa', 'brave')],
    user: [['tavily'], exclude('tavily')],
    project: [[], {}],
    call: [exclude('seltz'), exclude('seltz')],
  },
  {
    key: 'fullContent',
    environment: ['1', { include_full_content: true }],
    user: [false, {}],
    project: [true, { include_full_content: true }],
    call: [{ include_full_content: false }, {}],
  },
];

/** `providersInclude` → `SERVICE_PROVIDERS_INCLUDE`. */
const variableOf = (key: string): string => `SERVICE_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

function rungs({ key, environment, user, project, call }: Ladder): SettingsCase[] {
  const variable = { environment: { [variableOf(key)]: environment[0] } };
  const ofUser = { user: { [key]: user[0] } };
  const ofProject = { project: { [key]: project[0] } };
  return [
    { name: `${key} from a variable`, ...variable, sent: environment[1] },
    { name: `${key} from the user's file`, ...ofUser, sent: user[1] },
    { name: `${key}: the user's file beats the variable`, ...variable, ...ofUser, sent: user[1] },
    {
      name: `${key}: the project's file beats both`,
      ...{ ...variable, ...ofUser, ...ofProject },
      sent: project[1],
    },
    {
      name: `${key}: the call beats everything`,
      ...{ ...variable, ...ofUser, ...ofProject },
      call: call[0],
      sent: call[1],
    },
  ];
}

const ROUTING: readonly SettingsCase[] = [
  {
    name: 'autoRouting from the user’s file',
    user: { autoRouting: 'accuracy' },
    sent: { auto_routing: 'accuracy' },
  },
  {
    name: 'autoRouting: the project’s file beats the user’s',
    project: { autoRouting: 'off' },
    user: { autoRouting: 'accuracy' },
    sent: {},
  },
  {
    name: 'SERVICE_AUTO_ROUTING=accuracy beats both files',
    project: { autoRouting: 'off' },
    user: { autoRouting: 'off' },
    environment: { SERVICE_AUTO_ROUTING: 'accuracy' },
    sent: { auto_routing: 'accuracy' },
  },
  {
    name: 'SERVICE_AUTO_ROUTING=off beats both files',
    project: { autoRouting: 'accuracy' },
    user: { autoRouting: 'accuracy' },
    environment: { SERVICE_AUTO_ROUTING: 'off' },
    sent: {},
  },
  {
    name: 'an empty SERVICE_AUTO_ROUTING is not set',
    project: { autoRouting: 'accuracy' },
    environment: { SERVICE_AUTO_ROUTING: '' },
    sent: { auto_routing: 'accuracy' },
  },
  {
    name: 'auto_routing: off of a call beats the variable',
    environment: { SERVICE_AUTO_ROUTING: 'accuracy' },
    call: { auto_routing: 'off' },
    sent: {},
  },
  {
    name: 'auto_routing of a call beats an off',
    environment: { SERVICE_AUTO_ROUTING: 'off' },
    call: { auto_routing: 'accuracy' },
    sent: { auto_routing: 'accuracy' },
  },
];

const TIER_AND_FIELDS: readonly SettingsCase[] = [
  {
    name: 'of tier and fields in one file, the fields are sent',
    project: { tier: 'max', fields: ['url'] },
    sent: { fields: ['url'] },
  },
  {
    name: 'a tier of the project’s file beats fields of the user’s',
    project: { tier: 'max' },
    user: { fields: ['url'] },
    sent: { tier: 'max' },
  },
  {
    name: 'fields of the project’s file beat a tier of the user’s',
    project: { fields: ['url'] },
    user: { tier: 'max' },
    sent: { fields: ['url'] },
  },
  {
    name: 'a tier of a call beats fields of a file',
    project: { fields: ['url'] },
    call: { tier: 'max' },
    sent: { tier: 'max' },
  },
  {
    name: 'fields of a file beat a tier of a variable',
    user: { fields: ['url'] },
    environment: { SERVICE_TIER: 'max' },
    sent: { fields: ['url'] },
  },
];

const INCLUDE_AND_EXCLUDE: readonly SettingsCase[] = [
  {
    name: 'excluded names are removed from the included ones of one file',
    project: { providersInclude: ['exa', 'brave'], providersExclude: ['brave', 'linkup'] },
    sent: include('exa'),
  },
  {
    name: 'an exclude of a variable is removed from an include of a file',
    user: { providersInclude: ['exa', 'brave'] },
    environment: { SERVICE_PROVIDERS_EXCLUDE: 'exa' },
    sent: include('brave'),
  },
  {
    name: 'an exclude of a file is removed from an include of the call',
    project: { providersExclude: ['exa'] },
    call: include('exa', 'brave'),
    sent: include('brave'),
  },
  {
    name: 'an exclude of the call is removed from an include of a file',
    project: { providersInclude: ['exa', 'brave'] },
    call: exclude('brave'),
    sent: include('exa'),
  },
  {
    name: 'without a provider left nothing is sent, and the error names both places',
    project: { providersInclude: ['exa'] },
    environment: { SERVICE_PROVIDERS_EXCLUDE: 'exa,brave' },
    error: [
      `no provider is left: ${PROJECT} includes exa`,
      'SERVICE_PROVIDERS_EXCLUDE excludes exa, brave',
    ],
  },
  {
    name: 'without a provider left because of the call',
    user: { providersInclude: ['exa'] },
    call: exclude('exa'),
    error: [`no provider is left: ${USER} includes exa`, 'this call excludes exa'],
  },
];

const VARIABLES: readonly SettingsCase[] = [
  ...['true', 'yes', '0', ' 1', '01', ''].map((text) => ({
    name: `SERVICE_FULL_CONTENT=${JSON.stringify(text)} asks for nothing`,
    environment: { SERVICE_FULL_CONTENT: text },
    sent: {},
  })),
  {
    name: 'empty variables are not set',
    environment: { SERVICE_TIER: '', SERVICE_FIELDS: ' ', SERVICE_PROVIDERS_INCLUDE: '' },
    sent: {},
  },
  {
    name: 'variables of other keys all apply',
    environment: {
      SERVICE_TIER: 'max',
      SERVICE_PROVIDERS_INCLUDE: 'exa,',
      SERVICE_FULL_CONTENT: '1',
    },
    sent: { tier: 'max', ...include('exa'), include_full_content: true },
  },
  {
    name: 'a wrong variable is an error that names it',
    environment: { SERVICE_TIER: 'huge' },
    error: ['SERVICE_TIER is "huge": write one of "minimalist", "default", "extended", "max"'],
  },
  {
    name: 'a wrong field in a variable is an error that names it',
    environment: { SERVICE_FIELDS: 'url,titel' },
    error: ['SERVICE_FIELDS', '"titel" is not a field'],
  },
  {
    name: 'a wrong SERVICE_AUTO_ROUTING is an error that names it',
    environment: { SERVICE_AUTO_ROUTING: 'on' },
    error: ['SERVICE_AUTO_ROUTING is "on": write one of "accuracy", "off"'],
  },
  {
    name: 'num_results and the rest of a call have no variable',
    environment: { SERVICE_NUM_RESULTS: '3', SERVICE_NO_UPDATE_NOTICE: '1' },
    sent: {},
  },
];

const FILES: readonly SettingsCase[] = [
  { name: 'nothing is set', sent: {} },
  { name: 'num_results of a call is sent', call: { num_results: 7 }, sent: { num_results: 7 } },
  {
    name: 'num_results does not belong in a file',
    project: { num_results: 3 },
    error: [PROJECT, '"num_results" is not known'],
  },
  {
    name: 'a null in a file is not set, and $schema is ignored',
    project: { $schema: 'x', tier: null },
    user: { tier: 'max' },
    sent: { tier: 'max' },
  },
  {
    name: 'only the project’s nearest file counts',
    project: { tier: 'max', fullContent: true },
    files: { 'project/deep/trawl.config.json': { tier: 'minimalist' } },
    sent: { tier: 'minimalist' },
  },
  {
    name: 'a file above the root of the repository does not count',
    files: { 'trawl.config.json': { tier: 'max' } },
    sent: {},
  },
  {
    name: 'XDG_CONFIG_HOME names the folder of the user’s file',
    user: { tier: 'minimalist' },
    files: { 'xdg/trawl/config.json': { tier: 'max' } },
    environment: { XDG_CONFIG_HOME: 'FOLDER/xdg' },
    sent: { tier: 'max' },
  },
  {
    name: 'a relative XDG_CONFIG_HOME is ignored',
    user: { tier: 'max' },
    environment: { XDG_CONFIG_HOME: 'xdg' },
    sent: { tier: 'max' },
  },
  {
    name: 'a file may begin with a byte order mark',
    user: '\uFEFF{"tier":"max"}',
    sent: { tier: 'max' },
  },
  {
    name: 'a file in UTF-16',
    project: Buffer.from('\uFEFF{"tier":"max"}', 'utf16le'),
    error: [`${PROJECT}: it is UTF-16 text: save it as UTF-8`],
  },
  {
    name: 'a file in UTF-16 of the other byte order',
    user: Buffer.from('\uFEFF{"tier":"max"}', 'utf16le').swap16(),
    error: [`${USER}: it is UTF-16 text: save it as UTF-8`],
  },
  {
    name: 'a file in UTF-16 without a byte order mark',
    project: Buffer.from('{"tier":"max"}', 'utf16le'),
    error: [`${PROJECT}: it is not UTF-8 text: save it as UTF-8`],
  },
  {
    name: 'a file in another charset, whose letter would be replaced',
    user: Buffer.from('{"providersInclude":["\xE9xa"]}', 'latin1'),
    error: [`${USER}: it is not UTF-8 text: save it as UTF-8`],
  },
  {
    name: 'a file that is not JSON',
    project: '{ "apiKey": "tk_secret-key" "tier": "max" }',
    error: [`${PROJECT}: it is not JSON`],
  },
  { name: 'a file that is a list', user: '[]', error: [`${USER}: it is not a JSON object`] },
  {
    name: 'a misspelt key',
    project: { tierr: 'max' },
    error: [PROJECT, '"tierr" is not known: write "tier"'],
  },
  {
    name: 'a key in the spelling of the API',
    user: { providers_include: ['exa'] },
    error: [USER, '"providers_include" is not known: write "providersInclude"'],
  },
  {
    name: 'the API key in a file',
    project: { apiKey: 'tk_secret-key' },
    error: [PROJECT, '"apiKey" does not belong in a file', 'SERVICE_API_KEY'],
  },
  {
    name: 'a wrong tier',
    project: { tier: 'huge' },
    error: [PROJECT, '"tier" is "huge"', '"max"'],
  },
  {
    name: 'fields as a text',
    user: { fields: 'url' },
    error: [USER, '"fields" is "url"', 'a list'],
  },
  { name: 'an empty include', project: { providersInclude: [] }, error: ['at least one'] },
  { name: 'an empty name', project: { providersExclude: [''] }, error: ['a list of names'] },
  {
    name: 'full content as a text',
    project: { fullContent: '1' },
    error: ['"fullContent" is "1": write true or false, without quotes'],
  },
  { name: 'full content as a number', user: { fullContent: 1 }, error: ['"fullContent" is 1'] },
  { name: 'routing as true', user: { autoRouting: true }, error: ['"autoRouting" is true'] },
];

/** Section 5.5 as data, for each client. */
export const SETTINGS_CASES: readonly SettingsCase[] = [
  ...LADDERS.flatMap(rungs),
  ...ROUTING,
  ...TIER_AND_FIELDS,
  ...INCLUDE_AND_EXCLUDE,
  ...VARIABLES,
  ...FILES,
];
