import { parsedUrl } from '@trawl/contract';
import { allowedHostNames, isLoopbackName } from './allowed-hosts.ts';
import type { Config } from './config.ts';

/** Where people log in: both are compared letter by letter. */
export interface LoginPlace {
  /** The authorization server, as it names itself: the origin of `PUBLIC_URL`. */
  readonly issuer: string;
  /** What a token is for: `PUBLIC_URL/mcp`. */
  readonly resource: string;
}

type LoginSettings = Pick<Config, 'mcpLogin' | 'publicUrl' | 'console' | 'allowedHosts'>;

/** Where people log in; undefined = they cannot, because it is off or a setting is missing. */
export function loginPlace(config: LoginSettings): LoginPlace | undefined {
  const { mcpLogin, publicUrl } = config;
  if (mcpLogin === 'off' || publicUrl === undefined || loginProblems(config).length > 0) {
    return undefined;
  }
  const { origin } = new URL(publicUrl);
  return { issuer: origin, resource: `${origin}/mcp` };
}

/** Why `MCP_LOGIN=on` has no effect, one sentence each; none where it has, or is off. */
export function loginProblems(config: LoginSettings): readonly string[] {
  const { mcpLogin, publicUrl } = config;
  if (mcpLogin === 'off') return [];
  const problems: string[] = [];
  if (config.console === 'off') problems.push('CONSOLE is off, where people sign in');
  const url = publicUrl === undefined ? null : parsedUrl(publicUrl);
  if (url === null) {
    problems.push('PUBLIC_URL is not set, by which clients and browsers reach this server');
    return problems.map(sentence);
  }
  if (url.protocol === 'http:' && !isLoopbackName(url.host)) {
    problems.push('PUBLIC_URL begins with http: on a public host, where it must be https:');
  }
  if (url.pathname !== '/') {
    problems.push('PUBLIC_URL has a path, and clients look for the login at the root of its host');
  }
  if (!allowedHostNames(config).includes(url.hostname)) {
    problems.push('ALLOWED_HOSTS lacks the host of PUBLIC_URL, so /mcp and /console refuse it');
  }
  return problems.map(sentence);
}

const sentence = (problem: string): string => `MCP_LOGIN=on has no effect: ${problem}`;
