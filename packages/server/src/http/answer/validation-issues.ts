import { LIMITS, type ValidationIssue } from '@trawl/contract';
import type { z } from 'zod';
import {
  EXTRA,
  formatFinding,
  literalError,
  MISSING,
  tooBig,
  tooSmall,
  typeFinding,
  valueError,
  type WordedFault,
} from './fault-kinds.ts';
import { echoedInput, echoedKey } from './issue-input.ts';

/** What to write instead, in one sentence; undefined = the message says it already. */
export type HintOf = (fault: InputFault) => string | undefined;

export type InputPlace = 'body' | 'query' | 'path';

/** One fault of a request: zod's issue, where it was found, and the value that was sent there. */
export interface InputFault {
  readonly place: InputPlace;
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
  readonly input: unknown;
  /** An unknown key of an object that allows none. */
  readonly isExtra: boolean;
}

/**
 * The faults that zod found (parsed with `reportInput`), one for each place.
 * @param sent what was validated, as sent: query values before they were read as numbers
 */
export function faultsOf(
  place: InputPlace,
  issues: readonly z.core.$ZodIssue[],
  sent: unknown,
): InputFault[] {
  const faults: InputFault[] = [];
  for (const [index, issue] of issues.entries()) {
    if (issue.code === 'unrecognized_keys') {
      const { path } = issue;
      const counted: InputFault = { place, path, issue, input: undefined, isExtra: true };
      for (const key of issue.keys) {
        // A hostile body has a hundred thousand; those that will not be shown are only counted.
        const isShown = faults.length < LIMITS.reportedIssues;
        const input = isShown && valueAt(issue.input, [key]);
        faults.push(isShown ? { ...counted, path: [...path, key], input } : counted);
      }
    } else if (!isOvertaken(issue, issues[index + 1])) {
      const input = place === 'body' ? issue.input : valueAt(sent, issue.path);
      const shown = isMissing(issue) ? parentInput(place, sent, issue.path) : input;
      faults.push({ place, path: issue.path, issue, input: shown, isExtra: false });
    }
  }
  return faults;
}

/**
 * The 422 entries of the faults, as FastAPI and Pydantic 2 word them. At most 100, and one that
 * says that there are more.
 */
export function validationIssues(faults: readonly InputFault[], hintOf: HintOf): ValidationIssue[] {
  const entries = faults
    .slice(0, LIMITS.reportedIssues)
    .map((fault) => withHint(validationIssue(fault), hintOf(fault)));
  const [first] = faults;
  if (first && faults.length > entries.length) {
    entries.push(entry([first.place], valueError('further faults are not listed'), null));
  }
  return entries;
}

export function validationIssue(fault: InputFault): ValidationIssue {
  const loc = [fault.place, ...fault.path.map(echoedKey)];
  return entry(loc, wordedFault(fault), echoedInput(fault.input));
}

export const withHint = (issue: ValidationIssue, hint: string | undefined): ValidationIssue =>
  hint === undefined ? issue : { ...issue, hint };

/** A 422 entry from its parts. */
export function entry(
  loc: (string | number)[],
  worded: WordedFault,
  input: unknown,
): ValidationIssue {
  const { type, msg, ctx } = worded;
  return ctx ? { type, loc, msg, input, ctx } : { type, loc, msg, input };
}

function wordedFault({ issue, place, input, isExtra }: InputFault): WordedFault {
  if (isExtra) return EXTRA;
  if (isMissing(issue)) return MISSING;
  switch (issue.code) {
    case 'invalid_type':
      return typeFinding(issue.expected, place !== 'body' && typeof input === 'string');
    case 'invalid_value':
      return literalError(issue.values);
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.input);
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.input);
    case 'invalid_format':
      return formatFinding(issue.format, String(input));
    default:
      return valueError(issue.message);
  }
}

/** JSON has no undefined, so a value that is undefined was not sent. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code !== 'custom' && issue.code !== 'unrecognized_keys' && issue.input === undefined;
}

/** zod reports an unsafe integer and then the limit it breaks; Pydantic only the latter. */
function isOvertaken(issue: z.core.$ZodIssue, next: z.core.$ZodIssue | undefined): boolean {
  if (!next || issue.code !== next.code) return false;
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return false;
  return issue.origin === 'int' && issue.path.join() === next.path.join();
}

function parentInput(place: InputPlace, sent: unknown, path: readonly PropertyKey[]): unknown {
  return place === 'body' ? valueAt(sent, path.slice(0, -1)) : null;
}

export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}
