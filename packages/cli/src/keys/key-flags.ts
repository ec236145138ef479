import { NotTextError, readTextFile } from '@trawl/base';
import {
  ADMIN_PERMISSION,
  AdminKeyChange,
  CONSOLE_LIMITS,
  isAdminKey,
  type KeyPermission,
  LIMITS,
  MCP_LOGINS,
  NewKeySettings,
  NewProject,
  PERMISSIONS,
  ProjectChange,
} from '@trawl/contract';
import { RequestError } from '@trawl/router';
import { readYamlFile, type SentKeySettings } from '@trawl/server';
import { UsageError } from '../program/usage-error.ts';

/** Flags that limit a key or a project. `none` removes a limit; an absent flag keeps it. */
export interface LimitFlags {
  readonly rateLimit?: string;
  readonly monthlyBudget?: string;
}

/** Flags about logins of a project. */
export interface LoginFlags {
  readonly who?: string;
  readonly monthlyBudget?: string;
}

/** Flags that change a key. */
export interface KeyFlags extends LimitFlags {
  readonly training?: string;
  readonly domains?: string;
  /** JSON, or the path of a file with JSON; null = none. */
  readonly profile?: string | null;
}

export interface NewKeyFlags extends KeyFlags {
  readonly name: string;
  readonly permissions: string;
  readonly expires?: string;
  readonly providers?: string;
  readonly replay?: string;
}

const NAME = `takes 1 to ${CONSOLE_LIMITS.nameCharacters} characters, none of them a control character`;

/** The flag of each setting of the operator API, and what it accepts. */
const FLAGS: Readonly<Record<string, string>> = {
  name: `--name ${NAME}`,
  permissions: `--permissions takes a comma list of ${PERMISSIONS.join(', ')}, or admin alone`,
  expires_at: '--expires takes a day or a time, such as 2027-01-31 or 2027-01-31T18:00:00Z',
  rate_limit: `--rate-limit takes requests a minute, 1 to ${CONSOLE_LIMITS.rateLimit}, or none`,
  monthly_budget_usd: '--monthly-budget takes US dollars such as 25 or 0.5, or none',
  allowed_providers: '--providers takes a comma list of providers',
  no_training: '--training takes allow or deny',
  allowed_domains: '--domains takes a comma list of host names, or all',
  profile: '--profile and --set take JSON or a file with JSON',
  web_rules: '--set takes JSON or a file',
  mcp_login: `--who takes ${MCP_LOGINS.join(', ')}`,
  mcp_login_budget_usd: '--monthly-budget takes US dollars such as 25 or 0.5',
  retention_days: `DAYS takes 1 to ${LIMITS.retentionDays}, keep or default`,
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The settings of a new key. @throws UsageError */
export function readNewKey(flags: NewKeyFlags): SentKeySettings {
  const permissions = readPermissions(flags.permissions);
  const { replay } = flags;
  const sent = { ...sentOf(flags), name: flags.name };
  if (isAdminKey({ permissions }))
    refuseForAdmin({ ...sent, ...(replay && { '--replay': replay }) });
  if (replay !== undefined && !UUID.test(replay)) {
    throw new UsageError('--replay takes the id of a session');
  }
  if (replay !== undefined && permissions.includes('manage')) {
    throw new UsageError('--replay makes a key without the permission manage');
  }
  const settings = parsed(NewKeySettings.omit({ permissions: true }), sent);
  return { ...settings, permissions, replay_session: replay?.toLowerCase() ?? null };
}

/** The settings that are named. @throws UsageError */
export const readKeyChange = (flags: KeyFlags): AdminKeyChange =>
  parsed(AdminKeyChange, sentOf(flags));

/** The limits that are named. @throws UsageError */
export const readLimits = (flags: LimitFlags): ProjectChange =>
  parsed(ProjectChange, sentOf(flags));

/** @throws UsageError */
export function readRetention(text: string): ProjectChange {
  if (text === 'default') return { retention_days: null };
  if (text === 'keep') return { retention_days: 0 };
  // 0 has a word of its own
  const days = /^\d+$/.test(text) ? Number(text) || text : text;
  return parsed(ProjectChange, { retention_days: days });
}

/** Who may log in, and for how much. @throws UsageError */
export function readLogin({ who, monthlyBudget: budget }: LoginFlags): ProjectChange {
  return parsed(ProjectChange, {
    ...(who === undefined ? {} : { mcp_login: who }),
    ...(budget === undefined
      ? {}
      : { mcp_login_budget_usd: /^\d{1,9}(\.\d{1,6})?$/.test(budget) ? Number(budget) : budget }),
  });
}

/** @param text JSON, or the path of a file with JSON or YAML. @throws UsageError */
export function readRules(text: string): ProjectChange {
  if (text.trimStart().startsWith('{')) return parsed(ProjectChange, { web_rules: jsonOf(text) });
  const read = readYamlFile(text, 1);
  if ('problem' in read) throw flagFault('web_rules', `${text} ${read.problem}`);
  return parsed(ProjectChange, { web_rules: read.value });
}

/** @param label the flag or argument. @throws UsageError */
export function readName(name: string, label: string): string {
  const { success, data } = NewProject.shape.name.safeParse(name);
  if (!success) throw new UsageError(`${label} ${NAME}`);
  return data;
}

/** What is refused by the same rules as over HTTP, in the words of the command line. */
export async function inFlags<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { detail, hint } = error;
    if (typeof detail === 'string') {
      throw new Error(hint === undefined ? detail : `${detail} (${hint})`, { cause: error });
    }
    const [issue] = detail;
    throw flagFault(String(issue?.loc[1]), issue?.msg.replace(/^Value error, /, '') ?? '');
  }
}

const flagFault = (field: string, problem: string): UsageError =>
  new UsageError(`${FLAGS[field] ?? field}: ${problem}`);

interface Schema<Value> {
  safeParse(value: unknown): {
    readonly data?: Value;
    readonly error?: {
      readonly issues: readonly {
        readonly path: readonly PropertyKey[];
        readonly message: string;
      }[];
    };
  };
}

function parsed<Value>(schema: Schema<Value>, sent: object): Value {
  const { data, error } = schema.safeParse(sent);
  if (data !== undefined) return data;
  const { path = [], message = '' } = error?.issues[0] ?? {};
  const place = path.slice(1).join('.');
  throw flagFault(String(path[0]), place === '' ? message : `${place}: ${message}`);
}

/** The flags that are given, as the operator API is sent them. */
function sentOf(flags: Partial<NewKeyFlags>): Record<string, unknown> {
  const { expires, rateLimit, monthlyBudget, providers, training, domains, profile } = flags;
  return {
    ...(expires === undefined ? {} : { expires_at: timeOf(expires) }),
    ...(rateLimit === undefined ? {} : { rate_limit: numberIn(rateLimit, /^\d+$/) }),
    ...(monthlyBudget === undefined
      ? {}
      : { monthly_budget_usd: numberIn(monthlyBudget, /^\d{1,9}(\.\d{1,6})?$/) }),
    ...(providers === undefined ? {} : { allowed_providers: namesOf(providers) }),
    ...(training === undefined ? {} : { no_training: trainingOf(training) }),
    ...(domains === undefined
      ? {}
      : { allowed_domains: domains.trim() === 'all' ? null : namesOf(domains) }),
    ...(profile === undefined ? {} : { profile: profile === null ? null : jsonOf(profile) }),
  };
}

const namesOf = (list: string): readonly string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

/** A text that has not the form stays one, and so is refused. */
function numberIn(text: string, form: RegExp): number | string | null {
  if (text === 'none') return null;
  return form.test(text) ? Number(text) : text;
}

/** @throws UsageError */
function timeOf(date: string): string {
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new UsageError(`${FLAGS.expires_at}, not "${date}"`);
  return new Date(time).toISOString();
}

const trainingOf = (text: string): boolean | string =>
  text === 'allow' || text === 'deny' ? text === 'deny' : text;

function jsonOf(text: string): unknown {
  const isJson = text.trimStart().startsWith('{');
  try {
    return JSON.parse(isJson ? text : readTextFile(text));
  } catch (error) {
    if (error instanceof NotTextError) {
      throw flagFault('profile', `the file ${text} ${error.message}`);
    }
    const what = isJson ? 'the JSON cannot be read' : `the file ${text} cannot be read as JSON`;
    throw flagFault('profile', `${what}: ${(error as Error).message}`);
  }
}

function readPermissions(list: string): readonly KeyPermission[] {
  const names = namesOf(list);
  if (names.includes(ADMIN_PERMISSION)) {
    if (names.length === 1) return [ADMIN_PERMISSION];
    throw new UsageError('--permissions: admin stands alone; make another key for the rest');
  }
  const known = PERMISSIONS.filter((permission) => names.includes(permission));
  if (names.length > 0 && known.length === names.length) return known;
  throw flagFault('permissions', JSON.stringify(list));
}

/** What would have no effect on a key that searches and fetches nothing. */
function refuseForAdmin(sent: object): void {
  const allowed = ['name', 'expires_at', 'rate_limit'];
  const field = Object.keys(sent).find((name) => !allowed.includes(name));
  if (field === undefined) return;
  const flag = FLAGS[field]?.split(' ')[0] ?? field;
  throw new UsageError(`${flag}: a key with the permission admin asks no providers`);
}
