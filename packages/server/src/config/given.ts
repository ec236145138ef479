import { statSync } from 'node:fs';
import { NotTextError, readTextFile } from '@trawl/base';
import type { z } from 'zod';
import { fileVariable, secretNames } from './names.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of one variable; the initial one if it is not set or is wrong. */
export type ReadSetting = <Value>(name: string, schema: z.ZodType<Value>, initial: Value) => Value;

/** A setting as it was given: its text, empty if unset, and what to call it in a message. */
type Given = { readonly text: string; readonly label: string } | { readonly problem: string };

const SECRET_BYTES_MAX = 65_536;
const SECRETS: ReadonlySet<string> = new Set(secretNames());

/** The text of a variable without white space around it; empty = not set. */
export const textOf = (environment: Environment, name: string): string =>
  (environment[name] ?? '').trim();

/** The path of the file that a secret is read from; empty = it is not given by a file. */
export const fileOf = (environment: Environment, name: string): string =>
  SECRETS.has(name) ? textOf(environment, fileVariable(name)) : '';

/** Whether a setting has a value, itself or by a file. Empty values count as unset. */
export const isGiven = (environment: Environment, name: string): boolean =>
  textOf(environment, name) !== '' || fileOf(environment, name) !== '';

/**
 * Reads settings, and adds one line for each wrong one to `problems`. Values are never repeated,
 * they may be secrets.
 */
export function settingReader(environment: Environment, problems: string[]): ReadSetting {
  return (name, schema, initial) => {
    const given = givenValue(environment, name);
    if ('problem' in given) {
      problems.push(given.problem);
      return initial;
    }
    if (given.text === '') return initial;
    const parsed = schema.safeParse(given.text);
    if (parsed.success) return parsed.data;
    problems.push(`${given.label} ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return initial;
  };
}

function givenValue(environment: Environment, name: string): Given {
  const text = textOf(environment, name);
  const path = fileOf(environment, name);
  if (path === '') return { text, label: name };
  const variable = fileVariable(name);
  if (text !== '') return { problem: `${name} and ${variable} are both set: unset one of them` };
  const found = readSecret(path);
  if ('problem' in found) return { problem: `${variable} ${found.problem}` };
  return { text: found.text, label: `the content of ${variable}` };
}

/**
 * The content of a file without white space around it. The path is not repeated: it may be the
 * secret itself, set by mistake.
 */
function readSecret(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const facts = statSync(path);
    if (!facts.isFile()) return { problem: 'names something that is not a regular file' };
    if (facts.size > SECRET_BYTES_MAX) return { problem: 'names a file of more than 64 KB' };
    const text = readTextFile(path).trim();
    return text === '' ? { problem: 'names an empty file' } : { text };
  } catch (error) {
    if (error instanceof NotTextError) return { problem: `names a file that ${error.message}` };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { problem: `names a file that cannot be read (${code})` };
  }
}
