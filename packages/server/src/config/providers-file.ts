import { readDeclared, type SearchProvider } from '@trawl/providers';
import { type AllowedHosts, isAllowedHost, portOf } from '@trawl/reader';
import { isLoopbackName } from './allowed-hosts.ts';
import { readYamlFile } from './yaml-file.ts';

export const PROVIDERS_FILE = 'PROVIDERS_FILE';

const FILE_MIB_MAX = 1;

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
  const read = readYamlFile(path, FILE_MIB_MAX);
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
