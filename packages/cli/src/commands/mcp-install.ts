import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadSettings } from '@trawl/client/settings';
import { type CommandContext, run } from '@trawl/client/terminal/command';
import { EXIT, type ExitCode } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { commandHere, isClone } from '@trawl/client/terminal/manifest';
import { note, print } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { type Command, Option } from 'commander';
import { readSettings, replaceSettings } from '../mcp-install/file.ts';
import {
  isFound,
  KEY_VARIABLE,
  type Machine,
  MCP_HOST_NAMES,
  MCP_HOSTS,
  type McpConnection,
  type McpHost,
  type McpHostName,
} from '../mcp-install/hosts.ts';
import { EditError } from '../mcp-install/settings-text.ts';
import type { ServerEntry } from '../program/runtime.ts';
import { rowsText } from '../program/table.ts';

/** How long the server has to say whether it offers a login. */
const LOGIN_TIMEOUT_MS = 3_000;

/** `trawl mcp install` */
export function addMcpInstall(mcp: Command, { environment }: ServerEntry): void {
  mcp
    .command('install')
    .description(
      'add the server to the settings of programs that use MCP servers; without --client, list them',
    )
    .addOption(
      new Option('--client <name>', 'the program, or all that are found here').choices([
        ...MCP_HOST_NAMES,
        'all',
      ]),
    )
    .option('--url <url>', 'address of /mcp, instead of that of SERVICE_BASE_URL')
    .option('--print', 'print what would be written, and write nothing')
    .action((options: InstallFlags) => installMcp(environment, options));
}

interface InstallFlags {
  readonly client?: McpHostName | 'all';
  readonly url?: string;
  readonly print?: boolean;
}

/**
 * Adds the server to the settings of programs that use MCP servers, or renews it there. The key is
 * never written. Without `client`, lists the programs of this machine.
 */
const installMcp = (environment: Environment, flags: InstallFlags): Promise<void> =>
  run(environment, {}, async (context) => {
    const machine = thisMachine(environment);
    if (flags.client === undefined) return listPrograms(context, machine, flags);
    const url = await addressOf(flags.url ?? `${context.client.baseUrl}/mcp`);
    const names = chosen(flags.client, machine);
    const isRemote = names.some((name) => !MCP_HOSTS[name].isLocal);
    const isLogin = isRemote && !environment[KEY_VARIABLE] && (await offersLogin(url));
    const connection = { url, isLogin, command: commandLine(), keyFile: keyFile(environment) };
    let failed = 0;
    for (const name of names) {
      const host = MCP_HOSTS[name];
      try {
        if (flags.print) await printEntry(host, machine, connection);
        else await writeEntry(host, machine, connection);
      } catch (error) {
        failed += 1;
        const { message } = error as Error;
        const where = error instanceof EditError ? `${host.file(machine)}: ` : '';
        note(`trawl: ${host.title}: ${where}${message}; nothing was changed\n`);
      }
    }
    if (!flags.print && failed < names.length) noteKey(names, connection, environment);
    return failed > 0 ? EXIT.failed : EXIT.ok;
  });

const usage = (message: string): CommandError => new CommandError(EXIT.usage, 'usage', message);

function chosen(client: McpHostName | 'all', machine: Machine): readonly McpHostName[] {
  if (client !== 'all') return [client];
  const found = MCP_HOST_NAMES.filter((name) => isFound(MCP_HOSTS[name], machine));
  if (found.length > 0) return found;
  throw usage('none of these programs was found here: name one with --client');
}

/** @throws CommandError for what is not the address of `/mcp`, or would have a secret in it */
async function addressOf(text: string): Promise<URL> {
  const { parsedUrl } = await import('@trawl/contract');
  const url = parsedUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || !/\/mcp\/?$/.test(url.pathname) || url.hash) {
    throw usage(`--url is the address of /mcp, such as http://127.0.0.1:8080/mcp`);
  }
  if (url.username || url.password || [...url.searchParams.keys()].some((name) => name !== 'tools'))
    throw usage('--url may only have ?tools= behind the path: a key stays in SERVICE_API_KEY');
  return url;
}

/**
 * Whether the server names an authorization server where a key is missing (RFC 9728).
 * @throws CommandError if it is not reached: an entry for a login must not become one with a key
 */
async function offersLogin(url: URL): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LOGIN_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return /\bresource_metadata=/.test(answer.headers.get('www-authenticate') ?? '');
  } catch {
    throw new CommandError(
      EXIT.unreachable,
      'unreachable',
      `${url.origin} is not reached, so whether it offers a login is not known`,
      `start it, or set ${KEY_VARIABLE}`,
    );
  }
}

async function printEntry(
  host: McpHost,
  machine: Machine,
  connection: McpConnection,
): Promise<void> {
  const { entryAlone } = await import('../mcp-install/edit.ts');
  refuseCache(host, connection);
  const path = host.file(machine);
  const { text } = readSettings(path);
  // what is there already may have the keys of other servers: the entry alone is printed
  const alone = entryAlone(text, host, host.entry(connection));
  print(`${host.format === 'json' ? '//' : '#'} ${path}\n${alone}`);
}

async function writeEntry(
  host: McpHost,
  machine: Machine,
  connection: McpConnection,
): Promise<void> {
  const { ENTRY_NAME, hasEntry, withEntry } = await import('../mcp-install/edit.ts');
  refuseCache(host, connection);
  const path = host.file(machine);
  const before = readSettings(path);
  const isThere = hasEntry(before.text, host);
  const text = withEntry(before.text, host, host.entry(connection));
  if (host.isLocal) makeKeyFile(connection.keyFile);
  if (text === before.text) note(`${host.title}: ${path} has this entry already\n`);
  else {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const copy = replaceSettings(before, text, stamp);
    const done = isThere ? 'renewed in' : 'added to';
    note(`${host.title}: ${ENTRY_NAME} ${done} ${path}; restart ${host.title}\n`);
    if (copy !== undefined) note(`  the file before: ${copy}\n`);
  }
}

/** npx removes what it has not used for a while. */
function refuseCache({ isLocal }: McpHost, { command: [, script] }: McpConnection): void {
  if (isLocal && /[\\/]_npx[\\/]/.test(script))
    throw new Error(`${script} is in a folder that npx may remove: install trawl, and run that`);
}

/** Says where the key is read, which is the same for most programs. */
function noteKey(
  names: readonly McpHostName[],
  { isLogin, keyFile: file }: McpConnection,
  environment: Environment,
): void {
  const isRemote = names.some((name) => !MCP_HOSTS[name].isLocal);
  if (isRemote && isLogin) note('You sign in by browser when the program first uses it.\n');
  if (isRemote && !isLogin) {
    const isSet = Boolean(environment[KEY_VARIABLE]);
    const missing = isSet ? '' : `, which is not set here`;
    const where = `read from ${KEY_VARIABLE}${missing}`;
    note(`The key is ${where}: the program has to be started with it.\n`);
  }
  const local = names
    .filter((name) => MCP_HOSTS[name].isLocal)
    .map((name) => MCP_HOSTS[name].title);
  if (local.length === 0) return;
  const isWritten = Boolean(parseEnv(readSettings(file).text)[KEY_VARIABLE]);
  note(`${local.join(', ')} reads the key from ${file}${isWritten ? '' : ': write it there'}.\n`);
}

/** The file that Node.js reads for a program that cannot name a variable. */
const keyFile = (environment: Environment): string => {
  const user = loadSettings({ environment }).files.find(({ origin }) => origin === 'user');
  if (user) return join(dirname(user.path), 'mcp.env');
  throw usage('the home folder of this user is not known: set HOME');
};

/** Makes the file with a name and no key, for this user alone; one that exists stays. */
function makeKeyFile(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${KEY_VARIABLE}=\n`, { mode: 0o600, flag: 'wx' });
}

/** Node.js by its full path: a program with windows often has another PATH than a shell. */
function commandLine(): readonly [string, string] {
  const script = realpathSync(process.argv[1] ?? '');
  const own = isClone() ? join(dirname(script), '..', 'scripts', 'run.mjs') : script;
  return [process.execPath, own];
}

async function listPrograms(
  { out }: CommandContext,
  machine: Machine,
  flags: InstallFlags,
): Promise<ExitCode> {
  if (flags.url !== undefined || flags.print)
    throw usage('--url and --print need --client: name a program, or all');
  const { hasEntry } = await import('../mcp-install/edit.ts');
  const stateOf = (host: McpHost, path: string): string => {
    try {
      return hasEntry(readSettings(path).text, host) ? 'there' : 'none';
    } catch {
      return 'unreadable';
    }
  };
  const rows = MCP_HOST_NAMES.map((name) => {
    const host = MCP_HOSTS[name];
    const path = host.file(machine);
    return [name, isFound(host, machine) ? 'found' : 'not found', stateOf(host, path), path];
  });
  const columns = [
    ['client', 16],
    ['here', 11],
    ['entry', 12],
    ['file', 0.9],
  ] as const;
  print(await rowsText(out, columns, rows));
  note(`"${commandHere()} mcp install --client NAME" writes the entry; all = those found\n`);
  return EXIT.ok;
}

const thisMachine = (environment: Environment): Machine => ({
  platform: process.platform,
  environment,
  home: environment.HOME || homedir(),
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
});
