import { posix, win32 } from 'node:path';
import { isTable } from './settings-text.ts';

/** The variable that the key is read from, in the environment of the program. */
export const KEY_VARIABLE = 'SERVICE_API_KEY';

/** The variables that an entry may set for `trawl mcp`. */
export const OUR_VARIABLES = /^(?:SERVICE_API_KEY|SERVICE_BASE_URL|MCP_TOOLS)$/;

/** The machine whose files are looked for. */
export interface Machine {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly exists: (path: string) => boolean;
  /** The names in a folder; none if it does not exist. */
  readonly list: (folder: string) => readonly string[];
}

/** What the entry connects to. */
export interface McpConnection {
  /** The address of `/mcp`. */
  readonly url: URL;
  /** Whether a person signs in by browser; otherwise the key is sent. */
  readonly isLogin: boolean;
  /** How this machine starts `trawl mcp`: Node.js, and the script. */
  readonly command: readonly [node: string, script: string];
  /** A file with the key, for a program that cannot name a variable. */
  readonly keyFile: string;
}

/** A part of a settings file: JSON and TOML have the same values here. */
export type McpEntry = {
  readonly [member: string]: string | boolean | readonly string[] | McpEntry;
};

/** A program that uses MCP servers, and where it keeps them. */
export interface McpHost {
  readonly title: string;
  readonly format: 'json' | 'toml';
  readonly file: (machine: Machine) => string;
  /** A path that exists where the program was used; the folder of the file when absent. */
  readonly sign?: (machine: Machine) => string;
  /** The members that lead to the entries, in a file with this content. */
  readonly place: (content: unknown) => readonly string[];
  readonly entry: (connection: McpConnection) => McpEntry;
  /** Members that the program does not take next to `url`. */
  readonly refused?: readonly string[];
  /** The program can only start other programs, so that it always needs the key. */
  readonly isLocal?: true;
}

const pathsOf = ({ platform }: Machine) => (platform === 'win32' ? win32 : posix);

const inHome = (machine: Machine, ...names: readonly string[]): string =>
  pathsOf(machine).join(machine.home, ...names);

/** A folder that a variable names; a relative one would depend on the working directory. */
function namedFolder(machine: Machine, variable: string, ...usual: readonly string[]): string {
  const named = machine.environment[variable];
  return named && pathsOf(machine).isAbsolute(named) ? named : inHome(machine, ...usual);
}

/** Where programs made with Electron keep their settings. */
function applicationData(machine: Machine): string {
  if (machine.platform === 'darwin') return inHome(machine, 'Library', 'Application Support');
  return machine.platform === 'win32'
    ? namedFolder(machine, 'APPDATA', 'AppData', 'Roaming')
    : namedFolder(machine, 'XDG_CONFIG_HOME', '.config');
}

/**
 * As a package of Windows, the app reads a copy of the usual folder. Its name ends with an id of
 * the publisher: github.com/anthropics/claude-code/issues/26073
 */
function claudeDesktopFolder(machine: Machine): string {
  const { join } = pathsOf(machine);
  const usual = join(applicationData(machine), 'Claude');
  if (machine.platform !== 'win32') return usual;
  const packages = join(namedFolder(machine, 'LOCALAPPDATA', 'AppData', 'Local'), 'Packages');
  const folders = machine
    .list(packages)
    .filter((name) => name.startsWith('Claude_'))
    .map((name) => join(packages, name, 'LocalCache', 'Roaming', 'Claude'));
  return folders.find(machine.exists) ?? usual;
}

/** Of two names that it reads, the second wins there. */
function openCodeFile(machine: Machine): string {
  const { join } = pathsOf(machine);
  const folder = join(namedFolder(machine, 'XDG_CONFIG_HOME', '.config'), 'opencode');
  const commented = join(folder, 'opencode.jsonc');
  return machine.exists(commented) ? commented : join(folder, 'opencode.json');
}

/** The members with a bearer key, in the program's own words for the variable; none for a login. */
const bearer = ({ isLogin }: McpConnection, variable: string): McpEntry =>
  isLogin ? {} : { headers: { Authorization: `Bearer ${variable}` } };

export type McpHostName =
  | 'claude-code'
  | 'claude-desktop'
  | 'cursor'
  | 'vscode'
  | 'codex'
  | 'opencode';

export const MCP_HOSTS: Readonly<Record<McpHostName, McpHost>> = {
  /**
   * User scope, variables and fields: code.claude.com/docs/en/mcp. CLAUDE_CONFIG_DIR moves the
   * file: github.com/anthropics/claude-code/issues/48448
   */
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    file: (machine) =>
      pathsOf(machine).join(namedFolder(machine, 'CLAUDE_CONFIG_DIR'), '.claude.json'),
    sign: (machine) => namedFolder(machine, 'CLAUDE_CONFIG_DIR', '.claude'),
    place: () => ['mcpServers'],
    entry: (connection) => ({
      type: 'http',
      url: connection.url.href,
      ...bearer(connection, `\${${KEY_VARIABLE}}`),
    }),
  },
  /**
   * The file knows programs alone, replaces no variables, and passes on no more of the environment
   * than HOME, PATH and similar: modelcontextprotocol.io/docs/tools/debugging
   */
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    file: (machine) =>
      pathsOf(machine).join(claudeDesktopFolder(machine), 'claude_desktop_config.json'),
    place: () => ['mcpServers'],
    entry: ({ url, command: [node, script], keyFile }) => {
      const tools = url.searchParams.get('tools');
      return {
        command: node,
        args: [`--env-file=${keyFile}`, script, 'mcp'],
        env: {
          SERVICE_BASE_URL: url.origin + url.pathname.replace(/\/mcp\/?$/, ''),
          ...(tools === null ? {} : { MCP_TOOLS: tools }),
        },
      };
    },
    isLocal: true,
  },
  /** cursor.com/docs/mcp */
  cursor: {
    title: 'Cursor',
    format: 'json',
    file: (machine) => inHome(machine, '.cursor', 'mcp.json'),
    place: () => ['mcpServers'],
    entry: (connection) => ({
      url: connection.url.href,
      ...bearer(connection, `\${env:${KEY_VARIABLE}}`),
    }),
  },
  /**
   * code.visualstudio.com/docs/copilot/reference/mcp-configuration; variables:
   * github.com/microsoft/vscode/issues/245237
   */
  vscode: {
    title: 'VS Code',
    format: 'json',
    file: (machine) => pathsOf(machine).join(applicationData(machine), 'Code', 'User', 'mcp.json'),
    place: () => ['servers'],
    entry: (connection) => ({
      type: 'http',
      url: connection.url.href,
      ...bearer(connection, `\${env:${KEY_VARIABLE}}`),
    }),
  },
  /**
   * github.com/openai/codex, docs/config.md: CODEX_HOME, url, bearer_token_env_var. What it refuses
   * next to a URL: codex-rs/config/src/mcp_types.rs
   */
  codex: {
    title: 'Codex',
    format: 'toml',
    file: (machine) =>
      pathsOf(machine).join(namedFolder(machine, 'CODEX_HOME', '.codex'), 'config.toml'),
    place: () => ['mcp_servers'],
    refused: ['command', 'args', 'env', 'env_vars', 'cwd', 'bearer_token'],
    entry: ({ url, isLogin }) => ({
      url: url.href,
      ...(isLogin ? {} : { bearer_token_env_var: KEY_VARIABLE }),
    }),
  },
  /**
   * opencode.ai/v1/docs/mcp-servers. Version 2 has the entries in `mcp.servers`, and reads those of
   * version 1 too: opencode.ai/docs/migrate-v1
   */
  opencode: {
    title: 'opencode',
    format: 'json',
    file: openCodeFile,
    place: (content) => {
      const isSecond = isTable(content) && isTable(content.mcp) && isTable(content.mcp.servers);
      return isSecond ? ['mcp', 'servers'] : ['mcp'];
    },
    entry: (connection) => ({
      type: 'remote',
      url: connection.url.href,
      ...(connection.isLogin ? {} : { oauth: false }),
      ...bearer(connection, `{env:${KEY_VARIABLE}}`),
    }),
  },
};

export const MCP_HOST_NAMES = Object.keys(MCP_HOSTS) as readonly McpHostName[];

/** Whether the program was used on this machine. */
export function isFound({ file, sign }: McpHost, machine: Machine): boolean {
  const path = file(machine);
  return machine.exists(path) || machine.exists(sign?.(machine) ?? pathsOf(machine).dirname(path));
}
