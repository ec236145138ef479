import { LIMITS, type ValidationIssue, writeJson } from '@trawl/contract';
import { RequestError } from '@trawl/router';
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

/** JSON longer than this, in characters, is not sent back whole. */
const ECHO_MAX = 2_048;
/** The length after the cut. */
const CUT_AT = 1_024;
const KEY_MAX = 256;

/**
 * The `input` of a 422 entry. Small values are answered as sent. One whose JSON is longer than
 * 2,048 characters becomes a string: the first 1,024 characters of the text (of the string itself,
 * else of its JSON) and a note of the length.
 */
export function echoedInput(input: unknown): unknown {
  if (typeof input === 'string') {
    return input.length <= ECHO_MAX && JSON.stringify(input).length <= ECHO_MAX
      ? input
      : cut(input, input.length);
  }
  // JSON has no word for infinity, and 1e999 is read as that.
  if (typeof input === 'number') return Number.isFinite(input) ? input : String(input);
  if (typeof input !== 'object' || input === null) return input ?? null;
  const json = writeJson(input);
  return json.length <= ECHO_MAX ? input : cut(json, json.length);
}

/** A step of `loc`. Keys also come from the caller, so they are cut too. */
function echoedKey(step: PropertyKey): string | number {
  if (typeof step === 'number') return step;
  const key = String(step);
  return key.length <= KEY_MAX ? key : `${wellFormed(key.slice(0, KEY_MAX))}…`;
}

function cut(text: string, length: number): string {
  return `${wellFormed(text.slice(0, CUT_AT))}… (cut, ${length} characters in all)`;
}

/** Without the half of a surrogate pair that cutting leaves at the end. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * The one error that a fetch request with faults in its form is answered with: `missing_urls`
 * before all others, else the first. What needs more than the form (cap, validity of a URL,
 * duplicates, provider names) is judged later.
 */
export function typedRefusal(
  faults: readonly [InputFault, ...InputFault[]],
  hintOf: HintOf,
): RequestError {
  const missing = faults.find(isMissingUrls);
  if (missing) {
    return new RequestError(422, 'urls: give at least one URL', {
      typed: { code: 'missing_urls', param: 'urls' },
      hint: hintOf(missing),
    });
  }
  const [first] = faults;
  const param = parameterName(first.path);
  const { msg } = validationIssue(first);
  return new RequestError(422, param === '' ? msg : `${param}: ${msg}`, {
    typed: { code: codeOf(first), ...(param === '' ? {} : { param }) },
    hint: hintOf(first),
  });
}

/** A body that is not a JSON object, so the error has no parameter. */
export function typedBodyRefusal(message: string, hint: string | undefined): RequestError {
  return new RequestError(422, message, { typed: { code: 'invalid_request' }, hint });
}

/** Null counts as absent. */
function isMissingUrls({ place, path, issue, input }: InputFault): boolean {
  if (place !== 'body' || path.length !== 1 || path[0] !== 'urls') return false;
  return issue.code === 'too_small' || issue.input === undefined || input === null;
}

function codeOf({
  place,
  path,
}: InputFault): 'invalid_url' | 'invalid_session' | 'invalid_request' {
  if (place !== 'body') return 'invalid_request';
  if (path[0] === 'urls' && path.length > 1) return 'invalid_url';
  return path[0] === 'session_id' ? 'invalid_session' : 'invalid_request';
}

const NAME_MAX = 256;

/** `urls[0]`, `options.tier`; a name that the caller made up is cut. */
function parameterName(path: readonly PropertyKey[]): string {
  const name = path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join('');
  return name.length <= NAME_MAX
    ? name
    : `${name.slice(0, NAME_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
