import { statSync } from 'node:fs';
import { readFault, readTextFile } from '@trawl/base';
import { CORE_SCHEMA, load, YAMLException } from 'js-yaml';

const MIB = 1024 * 1024;
/** A few shared values are fine; aliases of aliases could grow without end. */
const ALIASES_MAX = 20;

/**
 * The value of a file of the operator. JSON is YAML too. The problem says where in the text,
 * without any of it.
 */
export function readYamlFile(
  path: string,
  mebibytesMax: number,
): { readonly value: unknown } | { readonly problem: string } {
  let text: string;
  try {
    if (statSync(path).size > mebibytesMax * MIB) {
      return { problem: `is larger than ${mebibytesMax} MB; shorten it` };
    }
    text = readTextFile(path);
  } catch (error) {
    return { problem: readFault(error) };
  }
  const json = readJson(text);
  if (json !== undefined) return { value: json };
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

/** Much faster for long lists. undefined = YAML, or a name is there twice, which YAML refuses. */
function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return membersOf(value) === (text.match(NAME_END)?.length ?? 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One too many, such as in a text, only costs the faster way. */
const NAME_END = /"\s*:/g;

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce((sum: number, one) => sum + membersOf(one), own);
}

/** What the parser says, without the part that may quote the file. */
const wordsOf = ({ reason }: YAMLException): string =>
  reason.replace(/["'!<:(][\s\S]*$/, '').trim();
