import { commandHere } from '@trawl/client/terminal/manifest';
import { note, printJson } from '@trawl/client/terminal/output';
import { hostName, hostNameFault, LIMITS } from '@trawl/contract';
import type { ApiKey, KeySettings } from '@trawl/router';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { withKeys } from './key-database.ts';

export interface PolicyOptions {
  readonly training?: string;
  readonly domains?: string;
}

type Policy = Pick<KeySettings, 'noTraining' | 'allowedDomains'>;

/** The parts of a policy that are named. @throws UsageError */
export function readPolicy({ training, domains }: PolicyOptions): Partial<Policy> {
  if (training !== undefined && training !== 'allow' && training !== 'deny') {
    throw new UsageError('--training takes allow or deny');
  }
  return {
    ...(training === undefined ? {} : { noTraining: training === 'deny' }),
    ...(domains === undefined ? {} : { allowedDomains: readDomains(domains) }),
  };
}

/** null = all. */
function readDomains(list: string): readonly string[] | null {
  if (list.trim() === 'all') return null;
  const names = list.split(',').map((name) => name.trim());
  const wrong = names.find((name) => hostName(name) === null);
  if (wrong !== undefined) {
    throw new UsageError(
      `--domains takes a comma list of host names, or all: ${hostNameFault(wrong)}`,
    );
  }
  const hosts = new Set(names.flatMap((name) => hostName(name) ?? []));
  if (hosts.size > LIMITS.filterDomains) {
    throw new UsageError(`--domains takes at most ${LIMITS.filterDomains} host names`);
  }
  return [...hosts];
}

/** Shows or changes which data a key may send where. */
export async function keyPolicy(
  runtime: Runtime,
  id: string,
  { json = false, ...options }: PolicyOptions & { readonly json?: boolean },
): Promise<void> {
  const changes = readPolicy(options);
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (keys) => {
    const find = async () => (await keys.listKeys(undefined)).find((key) => key.id === id);
    const isKnown = await (Object.keys(changes).length > 0 ? keys.changeKey(id, changes) : find());
    const key = isKnown ? await find() : undefined;
    if (!key) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    if (json) printJson({ id, ...policyJson(key) });
    else note(`key ${id}: ${policyText(key)}\n`);
  });
}

export const policyJson = ({ noTraining, allowedDomains }: Policy) => ({
  no_training: noTraining,
  allowed_domains: allowedDomains,
});

const policyText = ({ noTraining, allowedDomains }: ApiKey): string =>
  [
    noTraining ? 'only providers that train no models' : 'providers that train models too',
    allowedDomains === null ? 'pages of all hosts' : `pages of ${allowedDomains.join(', ')}`,
  ].join('; ');
