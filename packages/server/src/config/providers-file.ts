import { statSync } from 'node:fs';
import { readFault, readTextFile } from '@trawl/base';
import { readDeclared, type SearchProvider } from '@trawl/providers';
import { type AllowedHosts, isAllowedHost, portOf } from '@trawl/reader';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';
import { isLoopbackName } from './allowed-hosts.ts';

export const PROVIDERS_FILE = 'PROVIDERS_FILE';

const FILE_BYTES_MAX = 1024 * 1024;
/** A few shared values are fine; aliases of aliases could grow without end. */
const ALIASES_MAX = 20;

interface FileRules {
  /** The value of an environment variable; undefined = not set. */
  readonly variable: (name: string) => string | undefined;
  /** The names of all settings. */
  readonly settings: readonly string[];
  readonly allowedHosts: AllowedHosts;
}

interface FileRead {
  readonly providers: readonly SearchProvider[];
  /** Each is the end of a sentence that begins with the setting's name. Never a value. */
  readonly problems: readonly string[];
}

/** The providers that a file declares. */
export function readProvidersFile(path: string, rules: FileRules): FileRead {
  const { variable, settings, allowedHosts } = rules;
  const inFile = (problems: readonly string[]): FileRead => ({
    providers: [],
    problems: problems.map((problem) => `must name a file of providers: ${path} ${problem}`),
  });
  const read = readYamlFile(path);
  if ('problem' in read) return inFile([read.problem]);
  const addressFault = (url: URL) => (mayBeAsked(url, allowedHosts) ? undefined : NOT_ASKED);
  const own = new Set([...settings, ...CLIENT_KEYS]);
  const variableFault = (name: string) => (own.has(name.toUpperCase()) ? OWN_VARIABLE : undefined);
  const declared = readDeclared(read.value, { variable, variableFault, addressFault });
  if ('providers' in declared) return { providers: declared.providers, problems: [] };
  return inFile(declared.problems.map((problem) => `is wrong: ${problem}`));
}

/** Keys of trawl's own commands. */
const CLIENT_KEYS = ['SERVICE_API_KEY', 'MODEL_API_KEY', 'JUDGE_API_KEY'];
const OWN_VARIABLE =
  'is a setting of trawl or the key of a built-in provider; put the secret of this one into a variable of its own';

const NOT_ASKED =
  'must be https; http is for this machine and for hosts that FETCH_ALLOW_PRIVATE_HOSTS names';

function mayBeAsked(url: URL, allowedHosts: AllowedHosts): boolean {
  if (url.protocol === 'https:') return true;
  const isThisMachine = isLoopbackName(url.hostname) || /^127\.[\d.]+$/.test(url.hostname);
  return isThisMachine || isAllowedHost(allowedHosts, url.hostname, portOf(url));
}

/** JSON is YAML too. The problem says where in the text, without any of it. */
function readYamlFile(path: string): { readonly value: unknown } | { readonly problem: string } {
  let text: string;
  try {
    if (statSync(path).size > FILE_BYTES_MAX) return { problem: 'is larger than 1 MB; shorten it' };
    text = readTextFile(path);
  } catch (error) {
    return { problem: readFault(error) };
  }
  try {
    const value: unknown = load(text, { schema: CORE_SCHEMA, maxAliases: ALIASES_MAX });
    // a plain tree: an alias inside of what it names is refused
    return { value: JSON.parse(JSON.stringify(value)) };
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      return { problem: 'has a part that contains itself, or is nested too deeply' };
    }
    const { line, column } = error.mark ?? {};
    const place = line === undefined ? '' : ` at line ${line + 1}, column ${(column ?? 0) + 1}`;
    return { problem: `is neither YAML nor JSON${place}: ${wordsOf(error)}` };
  }
}

/** What the parser says, without the part that may quote the file. */
const wordsOf = ({ reason }: YAMLException): string =>
  reason.replace(/["'!<:(][\s\S]*$/, '').trim();
