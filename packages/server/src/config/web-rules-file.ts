import { statSync } from 'node:fs';
import { type WebRules, WebRulesFile } from '@trawl/contract';
import { z } from 'zod';
import { readYamlFile } from './yaml-file.ts';

export const WEB_RULES_FILE = 'WEB_RULES_FILE';

const FILE_MIB_MAX = 16;
/** A wrong list has the same fault in many places. */
const PROBLEMS_MAX = 5;

/** A file of web rules that was read. */
export interface ReadWebRules {
  readonly path: string;
  readonly rules: WebRules;
  /** Of the file, before it was read. */
  readonly state: string;
}

/** What a path leads to: another text once the file was written, replaced or removed. */
export function stateOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    return 'not readable';
  }
}

/**
 * The web rules in a file, or its problem as the end of a sentence that begins with the setting's
 * name: it names the file and the place in it.
 */
export function readWebRules(
  path: string,
): { readonly value: ReadWebRules } | { readonly problem: string } {
  const inFile = (problem: string) => ({
    problem: `must name a file of web rules: ${path} ${problem}`,
  });
  const state = stateOf(path);
  const read = readYamlFile(path, FILE_MIB_MAX);
  // a list that was cut short may be a list too
  if (stateOf(path) !== state) return inFile('is being written; try again');
  if ('problem' in read) return inFile(read.problem);
  const parsed = WebRulesFile.safeParse(read.value);
  if (parsed.success) return { value: { path, rules: parsed.data, state } };
  const { issues } = parsed.error;
  const shown = issues.slice(0, PROBLEMS_MAX).map(issueText);
  const more = issues.length > PROBLEMS_MAX ? [`and ${issues.length - PROBLEMS_MAX} more`] : [];
  return inFile(`is wrong: ${[...shown, ...more].join('; ')}`);
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  const where = place.join('').replace(/^\./, '');
  return where === '' ? message : `${where}: ${message}`;
}

/**
 * What of the rules has no effect, in words for the operator: entries of `allow` that `deny` names
 * too, or denies with a host above them.
 */
export function idleEntries({ hosts }: WebRules): readonly string[] {
  const deny = new Set(hosts?.deny);
  return (hosts?.allow ?? []).filter((host) => {
    const labels = host.replace(/^\*\./, '').split('.');
    return (
      deny.has(host) ||
      labels.some((_, from) => deny.has(labels.slice(from).join('.'))) ||
      labels.some((_, from) => from > 0 && deny.has(`*.${labels.slice(from).join('.')}`))
    );
  });
}

/** The JSON schema of the file, for editors. */
export const webRulesFileSchema = (): object => ({
  title: 'Web rules of WEB_RULES_FILE',
  ...z.toJSONSchema(WebRulesFile, { io: 'input', unrepresentable: 'any' }),
});
