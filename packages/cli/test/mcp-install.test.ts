import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort, serveHttp } from '@trawl/test-support/loopback';
import { PROGRAM, runProgram } from '@trawl/test-support/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryAlone, hasEntry, withEntry } from '../src/mcp-install/edit.ts';
import { readSettings, replaceSettings } from '../src/mcp-install/file.ts';
import {
  isFound,
  type Machine,
  MCP_HOST_NAMES,
  MCP_HOSTS,
  type McpConnection,
  type McpHostName,
} from '../src/mcp-install/hosts.ts';
import { EditError } from '../src/mcp-install/settings-text.ts';
import { runCommand } from './support/command.ts';

const withKey: McpConnection = {
  url: new URL('http://127.0.0.1:8080/mcp'),
  isLogin: false,
  command: ['/opt/node/bin/node', '/opt/trawl/bin/trawl.cjs'],
  keyFile: '/home/ada/.config/trawl/mcp.env',
};
const withLogin: McpConnection = { ...withKey, isLogin: true };

const edited = (name: McpHostName, text: string, connection = withKey): string =>
  withEntry(text, MCP_HOSTS[name], MCP_HOSTS[name].entry(connection));

const url = 'http://127.0.0.1:8080/mcp';
const DESKTOP = {
  command: '/opt/node/bin/node',
  args: ['--env-file=/home/ada/.config/trawl/mcp.env', '/opt/trawl/bin/trawl.cjs', 'mcp'],
  env: { SERVICE_BASE_URL: 'http://127.0.0.1:8080' },
};

describe('the entry of each program in a file that does not exist', () => {
  test.each<readonly [McpHostName, object, object]>([
    [
      'claude-code',
      { type: 'http', url, headers: { Authorization: `Bearer \${SERVICE_API_KEY}` } },
      { type: 'http', url },
    ],
    ['claude-desktop', DESKTOP, DESKTOP],
    ['cursor', { url, headers: { Authorization: `Bearer \${env:SERVICE_API_KEY}` } }, { url }],
    [
      'vscode',
      { type: 'http', url, headers: { Authorization: `Bearer \${env:SERVICE_API_KEY}` } },
      { type: 'http', url },
    ],
    [
      'opencode',
      {
        type: 'remote',
        url,
        oauth: false,
        headers: { Authorization: 'Bearer {env:SERVICE_API_KEY}' },
      },
      { type: 'remote', url },
    ],
  ])('%s', (name, keyed, login) => {
    const inPlace = (entry: object) =>
      MCP_HOSTS[name].place({}).reduceRight<object>((inner, key) => ({ [key]: inner }), {
        trawl: entry,
      });
    expect(edited(name, '')).toBe(`${JSON.stringify(inPlace(keyed), null, 2)}\n`);
    expect(JSON.parse(edited(name, '', withLogin))).toEqual(inPlace(login));
  });

  test('codex', () => {
    expect(edited('codex', '')).toBe(`[mcp_servers.trawl]
url = "${url}"
bearer_token_env_var = "SERVICE_API_KEY"
`);
    expect(edited('codex', '', withLogin)).toBe(`[mcp_servers.trawl]\nurl = "${url}"\n`);
  });

  test('tools of the address reach a program that starts trawl itself', () => {
    const chosen = {
      ...withKey,
      url: new URL('https://trawl.example.com/search/mcp/?tools=web_search,web_context'),
    };
    const { mcpServers } = JSON.parse(edited('claude-desktop', '', chosen));
    expect(mcpServers.trawl.env).toEqual({
      SERVICE_BASE_URL: 'https://trawl.example.com/search',
      MCP_TOOLS: 'web_search,web_context',
    });
  });
});

describe('the rest of a file stays', () => {
  test('comments, trailing commas, tabs and line ends of JSON', () => {
    const before = [
      '// of Zoë',
      '{',
      '\t"servers": {',
      '\t\t/* the oldest */ "docs": { "url": "https://docs.example/mcp" }, // reads only',
      '\t},',
      '\t"inputs": [], // none yet',
      '}',
      '',
    ].join('\r\n');
    const after = edited('vscode', before);
    for (const kept of [
      '// of Zoë',
      '/* the oldest */ "docs": { "url": "https://docs.example/mcp" }, // reads only',
      '"inputs": [], // none yet',
    ])
      expect(after).toContain(kept);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(after).toMatch(/^\t\t"trawl": \{/m);
    expect(edited('vscode', after)).toBe(after);
  });

  test('comments and tables of TOML', () => {
    const before = `# of Zoë
model = "gpt-5" # the large one

[mcp_servers.docs] # reads only
command = 'C:\\Program Files\\Zoë\\docs.exe'

[profiles.quick]
since = 2026-11-29T14:00:00Z
`;
    const after = edited('codex', before);
    for (const line of before.split('\n')) expect(after).toContain(line);
    expect(after).toContain(`[mcp_servers.trawl]\nurl = "${url}"\n`);
    expect(edited('codex', after)).toBe(after);
  });

  test.each([
    'mcp_servers = { docs = { command = "x" } } # on one line\n',
    'mcp_servers.docs.command = "x" # dotted\n[other]\na = 1\n',
    '[mcp_servers]\ndocs = { command = "x" } # inside\n',
    '# nothing yet\r\n',
  ])('TOML as %j', (before) => {
    const after = edited('codex', before);
    expect(hasEntry(after, MCP_HOSTS.codex)).toBe(true);
    expect(after).toContain(before.slice(before.indexOf('#')).trimEnd().split('\n')[0]);
    expect(edited('codex', after)).toBe(after);
  });

  test('opencode 2 has the entry where its file has the others', () => {
    const second = '{ "mcp": { "servers": { "docs": { "type": "remote", "url": "x" } } } }';
    expect(Object.keys(JSON.parse(edited('opencode', second)).mcp.servers).sort()).toEqual([
      'docs',
      'trawl',
    ]);
    expect(Object.keys(JSON.parse(edited('opencode', '{ "mcp": {} }')).mcp)).toEqual(['trawl']);
  });
});

describe('an older entry', () => {
  test('loses how it connected, a key in plain text included, and keeps the rest of JSON', () => {
    const before = `{
  "mcpServers": {
    "trawl": {
      // slow network
      "timeout": 90000,
      "command": "node",
      "args": ["/old/run.mjs", "mcp"],
      "env": { "SERVICE_API_KEY": "tk_plain" }
    }
  }
}
`;
    const after = edited('cursor', before);
    expect(after).not.toContain('tk_plain');
    expect(after).toContain('// slow network\n      "timeout": 90000');
    expect(JSON.parse(after.replace('// slow network', '')).mcpServers.trawl).toEqual({
      timeout: 90_000,
      url,
      headers: { Authorization: `Bearer \${env:SERVICE_API_KEY}` },
    });
    expect(edited('cursor', after)).toBe(after);
  });

  test('the same in TOML, and back from a key to a login', () => {
    const before = `[mcp_servers.trawl]
# slow network
startup_timeout_sec = 30
url = "http://old.example/mcp"
http_headers = { Authorization = "Bearer tk_plain" }
`;
    const after = edited('codex', before);
    expect(after).not.toContain('tk_plain');
    expect(after).toContain('# slow network\nstartup_timeout_sec = 30\n');
    expect(after).toContain(`url = "${url}"\n`);
    expect(edited('codex', after, withLogin)).not.toContain('SERVICE_API_KEY');
  });
});

describe('comments next to what is changed in an older entry stay', () => {
  test('TOML: its own and those of other servers, from a login to a key and back', () => {
    const login = `# of Zoë
[mcp_servers.trawl]
url = "${url}" # at home
# slow network
startup_timeout_sec = 30

[mcp_servers.trawl.tools.web_search]
approval_mode = "auto" # paid

# my other server
[mcp_servers.docs] # reads only
command = """docs
# not a comment
[mcp_servers.trawl]
"""
`;
    const keyed = edited('codex', login);
    expect(keyed).toBe(
      login.replace('sec = 30\n', 'sec = 30\nbearer_token_env_var = "SERVICE_API_KEY"\n'),
    );
    expect(edited('codex', keyed, withLogin)).toBe(login);
  });

  test('TOML: of tables and members that go', () => {
    const before = `[mcp_servers.trawl]\r
command = "node" # of the system\r
args = [ # the old clone\r
  "/old/run.mjs",\r
]\r
  url = "http://old.example/mcp"  # at work\r
\r
[mcp_servers.trawl.env] # for the old one\r
# mine\r
SERVICE_API_KEY = "tk_plain"\r
\r
# my other server\r
[mcp_servers.docs]\r
url = "https://docs.example/mcp"\r
`;
    expect(edited('codex', before)).toBe(`[mcp_servers.trawl]\r
# of the system\r
  url = "${url}"  # at work\r
bearer_token_env_var = "SERVICE_API_KEY"\r
\r
# for the old one\r
# mine\r
\r
# my other server\r
[mcp_servers.docs]\r
url = "https://docs.example/mcp"\r
`);
  });

  test.each([
    'mcp_servers = { trawl = { url = "http://old.example/mcp" }, docs = { command = "x" } } # all\n',
    '[mcp_servers] # all\ntrawl = { url = "http://old.example/mcp" } # mine\ndocs = { command = "x" }\n',
  ])('TOML: on one line, as %j', (before) => {
    const now = `url = "${url}", bearer_token_env_var = "SERVICE_API_KEY"`;
    expect(edited('codex', before)).toBe(before.replace('url = "http://old.example/mcp"', now));
  });

  test('TOML: only other tables of the entry, and no line end', () => {
    const before = '[mcp_servers.trawl.tools.web_search]\nenabled = true # paid';
    expect(edited('codex', before, withLogin)).toBe(
      `[mcp_servers.trawl]\nurl = "${url}"\n${before}`,
    );
    expect(edited('codex', '[mcp_servers.trawl]', withLogin)).toBe(
      `[mcp_servers.trawl]\nurl = "${url}"\n`,
    );
  });

  test('JSON', () => {
    const before = `{
  "mcpServers": {
    "trawl": {
      "timeout": 90000, // slow network
      "command": "node", // of the system
      /* the old clone */ "args": ["/old/run.mjs", "mcp"],
      // kept for a while
      "env": { "SERVICE_API_KEY": "tk_plain" } // until May
      // the end
    }, // mine
    // reads only
    "docs": { "url": "https://docs.example/mcp" },
  },
}
`;
    expect(edited('cursor', before, withLogin)).toBe(`{
  "mcpServers": {
    "trawl": {
      "timeout": 90000, // slow network
      // of the system
      /* the old clone */
      // kept for a while
      // until May
      // the end
      "url": "${url}"
    }, // mine
    // reads only
    "docs": { "url": "https://docs.example/mcp" },
  },
}
`);
  });

  test('JSON: on one line, the first and the last member', () => {
    const before =
      '{"mcpServers": { "trawl": { "command": "x", /* y */ "cwd": "/", "args": [] } }}';
    expect(edited('cursor', before, withLogin)).toBe(
      `{"mcpServers": { "trawl": { /* y */ "cwd": "/", "url": "${url}" } }}`,
    );
  });

  test('JSON: comments alone', () => {
    const before = '// of Zoë\r\n/* nothing yet */';
    const after = edited('cursor', before, withLogin);
    expect(after.startsWith(`${before}\r\n{\r\n  "mcpServers": {\r\n`)).toBe(true);
    expect(edited('cursor', after, withLogin)).toBe(after);
    expect(hasEntry(before, MCP_HOSTS.cursor)).toBe(false);
  });
});

describe('an older entry keeps what is not about the key', () => {
  const entryIn = (text: string) => JSON.parse(text).mcpServers.trawl;
  const withOlder = (older: object) => JSON.stringify({ mcpServers: { trawl: older } }, null, 2);

  test('an object of `oauth`; one that forbids a login goes', () => {
    const oauth = { clientId: 'ada', callbackPort: 8123 };
    const before = withOlder({ type: 'http', url: 'http://old.example/mcp', oauth });
    expect(entryIn(edited('claude-code', before, withLogin))).toEqual({ type: 'http', url, oauth });
    const forbidden = JSON.stringify({ mcp: { trawl: { type: 'remote', url, oauth: false } } });
    expect(JSON.parse(edited('opencode', forbidden, withLogin)).mcp.trawl).toEqual({
      type: 'remote',
      url,
    });
  });

  test('other headers', () => {
    const headers = { 'X-Team': 'search', authorization: 'Bearer tk_plain' };
    const before = withOlder({ url, headers });
    expect(entryIn(edited('cursor', before)).headers).toEqual({
      'X-Team': 'search',
      Authorization: `Bearer \${env:SERVICE_API_KEY}`,
    });
    expect(entryIn(edited('cursor', before, withLogin))).toEqual({
      url,
      headers: { 'X-Team': 'search' },
    });
    const table = `[mcp_servers.trawl]
http_headers = { Authorization = "Bearer tk_plain", X-Team = "search" } # ours
[mcp_servers.trawl.env_http_headers]
Authorization = "OLD_KEY"
X-User = "USER"
`;
    expect(edited('codex', table, withLogin)).toBe(`[mcp_servers.trawl]
http_headers = { X-Team = "search" } # ours
url = "${url}"
[mcp_servers.trawl.env_http_headers]
X-User = "USER"
`);
  });

  test('other variables of the program, except those that Codex refuses next to a URL', () => {
    const HTTPS_PROXY = 'http://proxy.example:3128';
    const env = { HTTPS_PROXY, SERVICE_API_KEY: 'tk_plain', MCP_TOOLS: 'web_search' };
    const before = withOlder({ command: 'node', args: ['/old/run.mjs'], env });
    expect(entryIn(edited('claude-desktop', before)).env).toEqual({ ...DESKTOP.env, HTTPS_PROXY });
    const table = `[mcp_servers.trawl]\ncommand = "node"\nenv = { HTTPS_PROXY = "x" }\n`;
    expect(edited('codex', table, withLogin)).toBe(`[mcp_servers.trawl]\nurl = "${url}"\n`);
  });
});

test('the entry alone is in the place of the file', () => {
  const { opencode } = MCP_HOSTS;
  const alone = (text: string) => JSON.parse(entryAlone(text, opencode, opencode.entry(withLogin)));
  const trawl = { type: 'remote', url };
  expect(alone('{ "mcp": { "servers": { "docs": { "url": "x" } } } }')).toEqual({
    mcp: { servers: { trawl } },
  });
  expect(alone('')).toEqual({ mcp: { trawl } });
});

describe('a file that cannot be edited is named with what is wrong', () => {
  test.each<readonly [McpHostName, string, string]>([
    ['cursor', '{\n  "mcpServers": {', 'it is not JSON: CloseBraceExpected in line 2, column 18'],
    ['cursor', '{"a": 1} "secret"', 'it is not JSON: EndOfFileExpected in line 1, column 10'],
    ['vscode', '[]', 'it is not a JSON object'],
    ['vscode', '{"servers": []}', 'servers is not an object: correct it'],
    ['claude-code', '{"mcpServers": {"trawl": "x"}}', 'mcpServers.trawl is not an object'],
    ['claude-code', '{"mcpServers": null}', 'mcpServers is not an object'],
    ['codex', 'a = 1\nkey = "tk_secret', 'it is not TOML: unfinished string in line 2, column 7'],
    ['codex', 'mcp_servers = 1', 'mcp_servers is not an object: correct it'],
    [
      'cursor',
      '{"mcpServers": {}, "mcpServers": {}}',
      'mcpServers.trawl cannot be set: is one of its names there twice?',
    ],
  ])('%s %j', (name, text, message) => {
    expect(() => edited(name, text)).toThrow(EditError);
    expect(() => edited(name, text)).toThrow(message);
    expect(() => edited(name, text)).not.toThrow(/secret/);
  });
});

describe('where the files are', () => {
  const machine = (platform: string, home: string, rest: Partial<Machine> = {}): Machine => ({
    platform,
    home,
    environment: {},
    exists: () => false,
    list: () => [],
    ...rest,
  });
  const filesOn = (on: Machine) => MCP_HOST_NAMES.map((name) => MCP_HOSTS[name].file(on));

  test('Linux, with folders of variables; relative ones do not count', () => {
    expect(filesOn(machine('linux', '/home/Zoë K'))).toEqual([
      '/home/Zoë K/.claude.json',
      '/home/Zoë K/.config/Claude/claude_desktop_config.json',
      '/home/Zoë K/.cursor/mcp.json',
      '/home/Zoë K/.config/Code/User/mcp.json',
      '/home/Zoë K/.codex/config.toml',
      '/home/Zoë K/.config/opencode/opencode.json',
    ]);
    const environment = {
      CLAUDE_CONFIG_DIR: '/srv/claude',
      CODEX_HOME: 'codex',
      XDG_CONFIG_HOME: '/srv/config',
    };
    const exists = (path: string) => path.endsWith('.jsonc');
    expect(filesOn(machine('linux', '/home/a', { environment, exists }))).toEqual([
      '/srv/claude/.claude.json',
      '/srv/config/Claude/claude_desktop_config.json',
      '/home/a/.cursor/mcp.json',
      '/srv/config/Code/User/mcp.json',
      '/home/a/.codex/config.toml',
      '/srv/config/opencode/opencode.jsonc',
    ]);
  });

  test('macOS', () => {
    expect(filesOn(machine('darwin', '/Users/a')).slice(1, 4)).toEqual([
      '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
      '/Users/a/.cursor/mcp.json',
      '/Users/a/Library/Application Support/Code/User/mcp.json',
    ]);
  });

  test('Windows, where Claude Desktop may be a package', () => {
    const home = 'C:\\Users\\Zoë K';
    const environment = { APPDATA: 'D:\\Roaming' };
    expect(filesOn(machine('win32', home, { environment }))).toEqual([
      `${home}\\.claude.json`,
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
      `${home}\\.cursor\\mcp.json`,
      'D:\\Roaming\\Code\\User\\mcp.json',
      `${home}\\.codex\\config.toml`,
      `${home}\\.config\\opencode\\opencode.json`,
    ]);
    const packages = `${home}\\AppData\\Local\\Packages`;
    const folder = `${packages}\\Claude_pzs8\\LocalCache\\Roaming\\Claude`;
    const packed = machine('win32', home, {
      list: (path) => (path === packages ? ['Other_1', 'Claude_old', 'Claude_pzs8'] : []),
      exists: (path) => path === folder,
    });
    expect(MCP_HOSTS['claude-desktop'].file(packed)).toBe(`${folder}\\claude_desktop_config.json`);
    expect(MCP_HOST_NAMES.filter((name) => isFound(MCP_HOSTS[name], packed))).toEqual([
      'claude-desktop',
    ]);
  });

  test('Claude Code is found by its folder, not by the home folder', () => {
    const found = (path: string) =>
      isFound(
        MCP_HOSTS['claude-code'],
        machine('linux', '/home/a', { exists: (other) => other === path }),
      );
    expect(['/home/a', '/home/a/.claude', '/home/a/.claude.json'].map(found)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('files', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'trawl mcp-install é ')));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const replaced = (path: string, text: string) =>
    replaceSettings(readSettings(path), text, '20261129T144100Z');

  test('a link stays a link; permissions and a byte order mark stay; a copy is made', () => {
    const real = join(folder, 'dotfiles', 'mcp.json');
    mkdirSync(dirname(real));
    writeFileSync(real, '\ufeff{}');
    chmodSync(real, 0o640);
    const link = join(folder, 'mcp.json');
    symlinkSync(real, link);
    expect(readSettings(link).text).toBe('{}');
    expect(replaced(link, '{"a": 1}')).toBe(`${real}.20261129T144100Z.bak`);
    expect(realpathSync(link)).toBe(real);
    expect(readFileSync(real, 'utf8')).toBe('\ufeff{"a": 1}');
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${real}.20261129T144100Z.bak`, 'utf8')).toBe('\ufeff{}');
    expect(readdirSync(dirname(real))).toHaveLength(2);
  });

  test('the owner stays, also of the copy', ({ skip }) => {
    skip(process.getuid?.() !== 0, 'optional: only root may give files away');
    const path = join(folder, 'owned.json');
    writeFileSync(path, '{}', { mode: 0o640 });
    chownSync(path, 54_321, 54_322);
    for (const each of [replaced(path, '{"a": 1}') ?? '', path]) {
      const { uid, gid, mode } = statSync(each);
      expect([uid, gid, mode & 0o777]).toEqual([54_321, 54_322, 0o640]);
    }
  });

  test('a new file has a new folder, and is for its owner alone', () => {
    const path = join(folder, 'new', 'deep', 'mcp.json');
    expect(replaced(path, '{}')).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(['mcp.json']);
  });

  test('what another program wrote in between is not lost', () => {
    const path = join(folder, 'busy.json');
    writeFileSync(path, '{}');
    const read = readSettings(path);
    writeFileSync(path, '{"b": 2}');
    const again = /busy\.json: it cannot be written: another program has just changed it/;
    expect(() => replaceSettings(read, '{"a": 1}', 'one')).toThrow(again);
    expect(readFileSync(path, 'utf8')).toBe('{"b": 2}');
    const absent = readSettings(join(folder, 'soon.json'));
    writeFileSync(absent.path, '{}');
    expect(() => replaceSettings(absent, '{"a": 1}', 'one')).toThrow(/another program/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a folder, a link to nothing, a file in the way and other encodings are named', () => {
    const file = join(folder, 'busy.json');
    symlinkSync(join(folder, 'nothing'), join(folder, 'dangling.json'));
    writeFileSync(join(folder, 'wide.json'), Buffer.from('\ufeff{}', 'utf16le'));
    expect(() => readSettings(folder)).toThrow(`${folder}: it cannot be read: EISDIR`);
    expect(() => readSettings(join(folder, 'dangling.json'))).toThrow(/: ENOENT$/);
    expect(() => readSettings(join(folder, 'wide.json'))).toThrow(/: it is not UTF-8 text$/);
    const below = join(file, 'mcp.json');
    expect(() => replaced(below, '{}')).toThrow(/^.*mcp\.json: it cannot be read: ENOTDIR$/);
  });

  test('a file without rights to write stays', ({ skip }) => {
    skip(process.getuid?.() === 0, 'optional: root may write everything');
    const path = join(folder, 'locked.json');
    writeFileSync(path, '{}', { mode: 0o400 });
    expect(() => replaced(path, '{"a": 1}')).toThrow(`${path}: it cannot be written: EACCES`);
    expect(readFileSync(path, 'utf8')).toBe('{}');
  });
});

describe('trawl mcp install', () => {
  const KEY = 'tk_planted_key_of_the_environment';
  let home: string;
  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'trawl home é ')));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  const install = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
    runCommand({ args: ['mcp', 'install', ...args], settings, folder: home });

  test('without --client lists the programs, and writes nothing', async () => {
    mkdirSync(join(home, '.cursor'));
    const { code, stdout } = await install([]);
    expect(code).toBe(0);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(MCP_HOST_NAMES.length);
    expect(rows).toContain(`cursor\tfound\tnone\t${join(home, '.cursor', 'mcp.json')}`);
    expect(rows).toContain(`codex\tnot found\tnone\t${join(home, '.codex', 'config.toml')}`);
    expect(readdirSync(join(home, '.cursor'))).toEqual([]);
  });

  test('--print shows the entry alone, and writes nothing', async () => {
    const file = join(home, '.cursor', 'mcp.json');
    writeFileSync(file, '{ "mcpServers": { "docs": { "env": { "KEY": "secret-of-docs" } } } }');
    const args = ['--client', 'cursor', '--url', 'https://trawl.example.com/mcp', '--print'];
    const { code, stdout } = await install(args, { SERVICE_API_KEY: KEY });
    expect(code).toBe(0);
    const [head, ...rest] = stdout.split('\n');
    expect(head).toBe(`// ${file}`);
    expect(JSON.parse(rest.join('\n'))).toEqual({
      mcpServers: {
        trawl: {
          url: 'https://trawl.example.com/mcp',
          headers: { Authorization: `Bearer \${env:SERVICE_API_KEY}` },
        },
      },
    });
    expect(readFileSync(file, 'utf8')).not.toContain('trawl');
  });

  test('all writes to those found, goes on after a broken one, and never has the key', async () => {
    mkdirSync(join(home, '.codex'));
    mkdirSync(join(home, '.config', 'Claude'), { recursive: true });
    mkdirSync(join(home, '.config', 'opencode'), { recursive: true });
    writeFileSync(join(home, '.config', 'opencode', 'opencode.jsonc'), '{ broken');
    const first = await install(['--client', 'all'], { SERVICE_API_KEY: KEY });
    expect([first.code, first.stdout]).toEqual([1, '']);
    expect(first.stderr).toMatch(/opencode: .*opencode\.jsonc: it is not JSON: /);
    expect(first.stderr).toContain(
      `Cursor: trawl added to ${join(home, '.cursor', 'mcp.json')}; restart Cursor\n`,
    );
    expect(first.stderr).toMatch(/ {2}the file before: .*mcp\.json\.\d{8}T\d{6}Z\.bak\n/);
    const keyFile = join(home, '.config', 'trawl', 'mcp.env');
    expect(first.stderr).toContain(`Claude Desktop reads the key from ${keyFile}: write it there`);
    expect(readFileSync(keyFile, 'utf8')).toBe('SERVICE_API_KEY=\n');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(existsSync(join(home, '.config', 'Code'))).toBe(false);
    expect(readFileSync(join(home, '.codex', 'config.toml'), 'utf8')).toContain(url);
    writeFileSync(keyFile, 'SERVICE_API_KEY=tk_mine\n');
    const second = await install(['--client', 'all'], { SERVICE_API_KEY: KEY });
    expect(second.stderr).toContain(`${join(home, '.cursor', 'mcp.json')} has this entry already`);
    expect(second.stderr).toContain(`reads the key from ${keyFile}.\n`);
    const files = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'));
    expect(`${files.join()}${first.stderr}${second.stderr}`).not.toContain(KEY);
  });

  test('an entry stays when the key file cannot be made, or the file not be replaced', async ({
    skip,
  }) => {
    const other = join(home, 'other');
    const desktop = join(other, '.config', 'Claude', 'claude_desktop_config.json');
    mkdirSync(dirname(desktop), { recursive: true });
    writeFileSync(desktop, '{}');
    writeFileSync(join(other, '.config', 'trawl'), 'in the way of the folder');
    const settings = { HOME: other, SERVICE_API_KEY: KEY };
    const { code, stderr } = await install(['--client', 'claude-desktop'], settings);
    expect([code, readFileSync(desktop, 'utf8')]).toEqual([1, '{}']);
    expect(stderr).toContain('; nothing was changed');
    expect(readdirSync(dirname(desktop))).toHaveLength(1);

    const mounted = join(other, '.cursor', 'mcp.json');
    mkdirSync(dirname(mounted));
    writeFileSync(mounted, '{}');
    const inMount = [
      '--mount',
      '--propagation',
      'private',
      'sh',
      '-c',
      'mount --bind "$0" "$0" && exec "$@"',
      mounted,
    ];
    const words = [process.execPath, PROGRAM, 'mcp', 'install', '--client', 'cursor'];
    const run = spawnSync('unshare', [...inMount, ...words], {
      env: { PATH: process.env.PATH, ...settings },
      encoding: 'utf8',
    });
    skip(!run.stderr?.includes('trawl:'), 'optional: needs root, to mount a file');
    expect(run.stderr).toContain('mcp.json: it cannot be written: EBUSY; nothing was changed');
    expect(readdirSync(dirname(mounted))).toEqual(['mcp.json']);
  });

  test('a program in the cache of npx is not written into an entry', async () => {
    const script = join(home, '_npx', 'ab', 'trawl.mjs');
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, `import ${JSON.stringify(pathToFileURL(PROGRAM).href)};\n`);
    const args = ['mcp', 'install', '--client', 'claude-desktop'];
    for (const more of [[], ['--print']]) {
      const { code, stderr } = await runProgram({ script, args: [...args, ...more], folder: home });
      expect([code, stderr]).toEqual([1, expect.stringContaining('that npx may remove')]);
    }
  });

  test('without a key and a server, nothing is written or shown', async () => {
    const file = join(home, '.codex', 'config.toml');
    const login = `[mcp_servers.trawl]\nurl = "${url}"\n`;
    writeFileSync(file, login);
    const args = ['--client', 'codex', '--url', `http://127.0.0.1:${await freePort()}/mcp`];
    for (const more of [[], ['--print']]) {
      const { code, stdout, stderr } = await install([...args, ...more]);
      expect([code, stdout]).toEqual([5, '']);
      expect(stderr).toMatch(/is not reached.*\s.*start it, or set SERVICE_API_KEY/);
    }
    expect(readFileSync(file, 'utf8')).toBe(login);
  });

  test('without a key, the server decides between a login and the name of the variable', async () => {
    const server = await serveHttp((response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer resource_metadata="x", scope="read"' });
      response.end();
    });
    const args = ['--client', 'codex', '--print', '--url', `${server.url}/mcp`];
    expect((await install(args)).stdout).not.toContain('SERVICE_API_KEY');
    const keyed = await install(args, { SERVICE_API_KEY: KEY });
    expect(keyed.stdout).toContain('bearer_token_env_var = "SERVICE_API_KEY"');
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test.each([
    [['--client', 'emacs'], /emacs/],
    [['--client', 'codex', '--url', 'http://127.0.0.1:8080'], /--url is the address of \/mcp/],
    [['--client', 'codex', '--url', 'ftp://127.0.0.1/mcp'], /--url is the address of \/mcp/],
    [['--client', 'codex', '--url', 'https://a:tk_b@trawl.lan/mcp'], /--url may only have/],
    [['--client', 'codex', '--url', 'https://a:tk_b@trawl.lan/'], /--url is the address of \/mcp/],
    [['--client', 'codex', '--url', 'https://trawl.lan/mcp?key=tk_b'], /--url may only have/],
    [['--print'], /need --client/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await install(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('tk_b');
  });
});
