import { NotTextError, readTextFile } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { KeyProfile } from '@trawl/contract';
import { allowedProvidersOf, createDeployment, profileFault } from '@trawl/router';
import { type Environment, readConfig } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { withKeys } from './key-database.ts';

/** Which providers its key may use. */
type KeyPolicy = Parameters<typeof allowedProvidersOf>[0];

interface ProfileOptions {
  /** JSON, or the path of a file with JSON. */
  readonly set?: string;
  readonly clear?: boolean;
  readonly json?: boolean;
}

/** Shows the defaults of a key, or changes them. */
export async function keyProfile(
  runtime: Runtime,
  id: string,
  { set, clear = false, json = false }: ProfileOptions,
): Promise<void> {
  if (clear && set !== undefined) throw new UsageError('--set and --clear exclude each other');
  const given = set === undefined ? null : parsedProfile(set, '--set');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (keys) => {
    const key = (await keys.listKeys(undefined)).find((candidate) => candidate.id === id);
    if (!key) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    if (given) checkProfile(given, '--set', key, runtime.environment);
    if (given || clear) await keys.changeKey(id, { profile: given });
    const profile = given || clear ? given : key.profile;
    if (json) printJson({ id, profile });
    else if (profile === null) note(`key ${id} has no profile\n`);
    else print(`${JSON.stringify(profile, null, 2)}\n`);
  });
}

/** The profile of a new key. @throws UsageError for one that does not fit */
export async function readProfile(
  text: string | undefined,
  policy: KeyPolicy,
  environment: Environment,
): Promise<KeyProfile | null> {
  if (text === undefined) return null;
  const profile = parsedProfile(text, '--profile');
  checkProfile(profile, '--profile', policy, environment);
  return profile;
}

function parsedProfile(text: string, option: string): KeyProfile {
  const { success, data, error } = KeyProfile.safeParse(jsonOf(text, option));
  if (success) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') || 'the profile';
  throw new UsageError(`${option}: ${place}: ${issue?.message}`);
}

function jsonOf(text: string, option: string): unknown {
  const isJson = text.trimStart().startsWith('{');
  try {
    return JSON.parse(isJson ? text : readTextFile(text));
  } catch (error) {
    if (error instanceof NotTextError) {
      throw new UsageError(`${option}: the file ${text} ${error.message}`);
    }
    const what = isJson ? 'the JSON cannot be read' : `the file ${text} cannot be read as JSON`;
    throw new UsageError(`${option}: ${what}: ${(error as Error).message}`);
  }
}

function checkProfile(
  profile: KeyProfile,
  option: string,
  policy: KeyPolicy,
  environment: Environment,
): void {
  const deployment = createDeployment(readConfig(environment));
  const fault = profileFault(profile, deployment, allowedProvidersOf(policy, deployment));
  if (fault !== undefined) throw new UsageError(`${option}: ${fault}`);
}
