import { type Command, Option } from 'commander';
import type { DemoOptions } from '../demo/demo.ts';
import { MCP_HOST_NAMES } from '../mcp-install/hosts.ts';
import type { InstallFlags } from '../mcp-install/install.ts';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { addDatabaseCommands } from './database-commands.ts';

interface Entry {
  readonly version: string;
  /** Read when a command needs it. */
  readonly runtime: () => Promise<Runtime>;
  /** Variables of the process, without a `.env` of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The commands of the server and its database. Their code is loaded when they run. */
export function addServerCommands(program: Command, entry: Entry): void {
  addRunning(program, entry);
  addMcp(program, entry);
  addDoctor(program, entry);
  addProviderCheck(program, entry);
  addRules(program, entry);
  addKeys(program, entry);
  addProjects(program, entry);
  addConsole(program, entry);
  addAlerts(program, entry);
  addDatabaseCommands(program, entry);
  addRouting(program, entry);
}

function addRunning(program: Command, { runtime }: Entry): void {
  program
    .command('serve')
    .description('start the server with the settings of the environment and .env')
    .option('--port <port>', 'port to listen on, instead of PORT; 0 = any free one')
    .option('--host <address>', 'address to listen on, instead of HOST; 0.0.0.0 = all')
    .action(async ({ host, port }: { host?: string; port?: string }) => {
      const { serve } = await import('../serve/serve.ts');
      await serve(async () => {
        const given = await runtime();
        const settings = {
          ...(host === undefined ? {} : { HOST: host }),
          ...(port === undefined ? {} : { PORT: port }),
        };
        return { ...given, environment: { ...given.environment, ...settings } };
      });
    });

  program
    .command('demo')
    .description('run a search against simulated providers, then keep serving')
    .option('--once', 'exit after the output')
    .option('--all', 'ask every simulated provider, instead of three')
    .option('--port <port>', 'port to listen on; when absent PORT, then 8080, then a free one')
    .action(async ({ once = false, all = false, port }: Partial<DemoOptions>) => {
      const { demo } = await import('../demo/demo.ts');
      await demo(await runtime(), { once, all, port });
    });

  program
    .command('sandbox')
    .description('serve the simulated providers alone, for your own tests')
    .option('--port <port>', 'port to listen on', '8090')
    .action(async (options: { port: string }) => {
      const { sandbox } = await import('../serve/sandbox.ts');
      await sandbox(options.port);
    });
}

function addMcp(program: Command, entry: Entry): void {
  const { version, environment } = entry;
  const mcp = program
    .command('mcp')
    .description(
      'serve the tools web_search, web_fetch and search_history, or those of MCP_TOOLS, to an MCP host over stdio',
    )
    .option('--timeout <seconds>', 'time limit of a tool call', '50')
    .action(async (options: { timeout: string }) => {
      const { mcp: serveTools } = await import('../serve/mcp.ts');
      serveTools(version, options, environment.MCP_TOOLS);
    });
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
    .action(async (options: InstallFlags) => {
      const { installMcp } = await import('../mcp-install/install.ts');
      await installMcp(environment, options);
    });
  addMcpClients(mcp, entry);
}

/** Clients of `/mcp` that an operator enters. */
function addMcpClients(mcp: Command, { runtime }: Entry): void {
  const clients = mcp
    .command('clients')
    .description('programs without a document about themselves that people may let log in to /mcp');
  clients
    .command('add')
    .description('enter a client, and print its id')
    .requiredOption('--name <name>', 'as people see it when they are asked')
    .requiredOption('--redirect-uri <uri...>', 'where it may be sent back to, exactly')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { addClient } = await import('../mcp/clients.ts');
      await addClient(await runtime(), options);
    });
  clients
    .command('list')
    .description('list them')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { listClients } = await import('../mcp/clients.ts');
      await listClients(await runtime(), options);
    });
  clients
    .command('remove')
    .description('remove a client; its logins end')
    .argument('<id>', 'as list shows it')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => {
      const { removeClient } = await import('../mcp/clients.ts');
      await removeClient(await runtime(), id, options);
    });
}

function addDoctor(program: Command, { runtime }: Entry): void {
  program
    .command('doctor')
    .description(
      'check settings, machine, database, server and providers; exits with 1 on a problem',
    )
    .option('--probe [names]', 'call every configured provider once, or those of a comma list')
    .option('--page <url>', 'page to ask fetch providers for', 'https://example.com/')
    .option('--yes', 'make the calls of --probe without confirmation')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { doctor } = await import('../doctor/doctor.ts');
      if (!(await doctor(await runtime(), options))) process.exitCode = 1;
    });
}

/** A part of the client's command that lists the providers of a server. */
function addProviderCheck(program: Command, { runtime }: Entry): void {
  const providers = program.commands.find((command) => command.name() === 'providers');
  // --json behind `check` is its own
  program.enablePositionalOptions();
  providers
    ?.enablePositionalOptions()
    .command('check <file>')
    .description('check a file of declared providers: what they are sent, and what is read')
    .option('--answer <file>', 'read the rows of a recorded answer, JSON')
    .option('--query <text>', 'query to send')
    .option('--only <slug>', 'this provider of the file')
    .option('--probe', 'make one real call to each, after its price was shown')
    .option('--yes', 'make the calls of --probe without confirmation')
    .option('--json', 'print JSON')
    .action(async (file: string, options) => {
      const { checkProviders } = await import('../providers/check.ts');
      if (!(await checkProviders(await runtime(), file, options))) process.exitCode = 1;
    });
}

function addRules(program: Command, { runtime }: Entry): void {
  const collect = (value: string, before: readonly string[] = []) => [...before, value];
  program
    .command('rules')
    .description('web rules: hosts and secrets that no request may touch')
    .command('check <file>')
    .description(
      'check a file of web rules, and whether it refuses a query or a URL; sends nothing',
    )
    .option('--query <text>', 'a query; repeatable', collect)
    .option('--url <url>', 'a URL; repeatable', collect)
    .option('--json', 'print JSON')
    .action(async (file: string, options) => {
      const { checkRules } = await import('../rules/check.ts');
      if (!checkRules(await runtime(), file, options)) process.exitCode = 1;
    });
}

const RATE_LIMIT = 'most requests per minute, or none';
const TRAINING = 'deny: only providers whose vendors train no models on what is sent';
const DOMAINS = 'comma list of the only hosts whose pages it may fetch, or all';
const MONTHLY_BUDGET = 'most US dollars per calendar month (UTC), or none';

function addKeys(program: Command, { runtime }: Entry): void {
  const keys = program
    .command('keys')
    .description('API keys, in the database of the server settings');
  keys
    .command('create')
    .description('create a key; it is shown only once')
    .option('--project <name>', 'its project, created when it is new', 'default')
    .option('--name <label>', 'label of the key', 'key')
    .option(
      '--permissions <list>',
      'comma list of search, fetch, read, manage; or admin alone, for the operator API',
      'search,fetch,read',
    )
    .option('--expires <date>', 'ISO date-time after which the key is refused')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--providers <list>', 'comma list of the only providers that it may use')
    .option('--training <allow|deny>', TRAINING)
    .option('--domains <list>', DOMAINS)
    .option('--profile <json|file>', 'defaults of its requests, as JSON or a file with JSON')
    .option(
      '--replay <session>',
      'a key for tests: its searches and fetches are answered from the records of this session alone, at no cost',
    )
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../keys/keys.ts')).createKey(await runtime(), options),
    );
  keys
    .command('list')
    .description('list keys without their secret')
    .option('--project <name>', 'keys of this project only')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../keys/keys.ts')).listKeys(await runtime(), options),
    );
  keys
    .command('limit <id>')
    .description('limit a key; running servers follow within a second')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).limitKey(await runtime(), id, options),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key; running servers refuse it within a second')
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).revokeKey(await runtime(), id, options),
    );
  addKeyChanges(keys, { runtime });
}

function addKeyChanges(keys: Command, { runtime }: Pick<Entry, 'runtime'>): void {
  keys
    .command('profile <id>')
    .description('show or change what a key asks for where its requests do not say')
    .option('--set <json|file>', 'the defaults, as JSON or a file with JSON')
    .option('--clear', 'remove them')
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).keyProfile(await runtime(), id, options),
    );
  keys
    .command('policy <id>')
    .description('show or change which providers and pages a key may use; running servers follow')
    .option('--training <allow|deny>', TRAINING)
    .option('--domains <list>', DOMAINS)
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).keyPolicy(await runtime(), id, options),
    );
  keys
    .command('rotate <id>')
    .description('create a key with the same settings; the old one ends after the grace period')
    .option('--grace <period>', 'how long the old key stays valid: now, 15m, 1h, 6h or 24h', '24h')
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).rotateKey(await runtime(), id, options),
    );
  keys
    .command('disable <id>')
    .description('refuse a key until it is enabled again')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => {
      const { disableKey } = await import('../keys/keys.ts');
      await disableKey(await runtime(), id, true, options);
    });
  keys
    .command('enable <id>')
    .description('accept a disabled key again')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => {
      const { disableKey } = await import('../keys/keys.ts');
      await disableKey(await runtime(), id, false, options);
    });
  keys
    .command('delete <id>')
    .description('end a key for good and list it no more; its usage stays')
    .option('--json', 'print JSON')
    .action(async (id: string, options) =>
      (await import('../keys/keys.ts')).deleteKey(await runtime(), id, options),
    );
}

function addProjects(program: Command, { runtime }: Entry): void {
  const projects = program
    .command('projects')
    .description('projects, in the database of the server settings');
  projects
    .command('create <name>')
    .description('create a project, or show the one with this name')
    .option('--json', 'print JSON')
    .action(async (name: string, options) =>
      (await import('../keys/projects.ts')).createProject(await runtime(), name, options),
    );
  projects
    .command('limit <name>')
    .description('limit all keys of a project together; running servers follow within a second')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--json', 'print JSON')
    .action(async (name: string, options) =>
      (await import('../keys/projects.ts')).limitProject(await runtime(), name, options),
    );
  projects
    .command('retention <name> <days>')
    .description(
      'delete interactions of a project after this many days; keep = never, default = as RETENTION_DAYS says',
    )
    .option('--json', 'print JSON')
    .action(async (name: string, days: string, options) =>
      (await import('../keys/projects.ts')).retainProject(await runtime(), name, days, options),
    );
  projects
    .command('rules <name>')
    .description(
      'show or change the web rules of a project; running servers follow within a second',
    )
    .option('--set <json|file>', 'the rules, as JSON or a file with JSON or YAML')
    .option('--clear', 'remove them')
    .option('--json', 'print JSON')
    .action(async (name: string, options) =>
      (await import('../keys/projects.ts')).projectRules(await runtime(), name, options),
    );
  projects
    .command('login <name>')
    .description('who may let programs log in to /mcp, and the budget of each new login')
    .option('--who <who>', 'off, admins or members; logins of others end')
    .option('--monthly-budget <usd>', 'US dollars a month')
    .option('--json', 'print JSON')
    .action(async (name: string, options) =>
      (await import('../keys/projects.ts')).projectLogin(await runtime(), name, options),
    );
  projects
    .command('list')
    .description('list all projects')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../keys/projects.ts')).listProjects(await runtime(), options),
    );
}

function addConsole(program: Command, { runtime }: Entry): void {
  const console = program
    .command('console')
    .description("the server's console, a web page at /console");
  console
    .command('reset <email>')
    .description('make a link with which a person sets a new password; it works once, for an hour')
    .option('--json', 'print JSON')
    .action(async (email: string, options) =>
      (await import('../keys/console-reset.ts')).printPasswordLink(await runtime(), email, options),
    );
  console
    .command('code')
    .description('make the one-time code that the first account needs; the code before it ends')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../keys/console-code.ts')).printConsoleCode(await runtime(), options),
    );
}

function addAlerts(program: Command, { runtime }: Entry): void {
  const alerts = program.command('alerts').description("the server's alerts by webhook");
  alerts
    .command('test')
    .description('post a test alert; exits with 1 when the webhook does not accept it')
    .option('--json', 'print JSON')
    .action(async (options) => {
      const { testAlerts } = await import('../alerts/alerts.ts');
      if (!(await testAlerts(await runtime(), options))) process.exitCode = 1;
    });
  alerts
    .command('list')
    .description('show which alerts were sent, and the result of them')
    .option('--limit <n>', 'how many of the newest', '20')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../alerts/alerts.ts')).listAlerts(await runtime(), options),
    );
}

function addRouting(program: Command, { runtime }: Entry): void {
  const routing = program
    .command('routing')
    .description('auto-routing with the settings of the server');
  routing
    .command('explain <query>')
    .description('show the topic of a query, the evidence for it, and the chosen providers')
    .option('--json', 'print JSON')
    .action(async (query: string, options) =>
      (await import('../routing/explain.ts')).explainQuery(await runtime(), query, options),
    );
  routing
    .command('report')
    .description('feedback, failures and latency of recorded searches, next to the ranking in use')
    .option('--days <n>', 'how many days back', '30')
    .option('--project <name>', 'searches of this project only')
    .option('--json', 'print JSON')
    .action(async (options) =>
      (await import('../routing/report.ts')).printReport(await runtime(), options),
    );
  routing
    .command('queries')
    .description('print what keys searched for that allow it, as a set for trawl evaluate')
    .option('--days <n>', 'how many days back', '30')
    .option('--project <name>', 'project of the keys', 'default')
    .option('--keys <list>', 'comma list of ids of keys; all that allow it when absent')
    .action(async (options) =>
      (await import('../routing/queries.ts')).printQueries(await runtime(), options),
    );
  routing
    .command('learn', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new UsageError(
        'routing learn is now evaluate learn: it reads the report of an evaluation, not the record',
      );
    });
}
