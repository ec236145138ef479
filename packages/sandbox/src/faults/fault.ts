/** What is wrong with one answer. Different kinds of faults combine. */
export interface FaultPlan {
  readonly latencyMs?: number;
  readonly connection?: 'hang' | 'cut' | 'reset';
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly body?: BodyFault;
  readonly encoding?: 'gzip' | 'br' | 'deflate' | 'bad-gzip';
  readonly rows?: number | 'empty';
  readonly oddRows?: true;
  readonly echoKey?: true;
  readonly failFirst?: number;
  readonly pendingPolls?: number;
}

export type BodyFault =
  | { readonly kind: 'not-json' }
  | { readonly kind: 'broken-json' }
  | { readonly kind: 'wrong-shape'; readonly text: string }
  | { readonly kind: 'too-large'; readonly bytes: number };

/** A fault text that cannot be parsed. Its message says what is wrong. */
export class MalformedFault extends Error {
  override readonly name = 'MalformedFault';
}

/** What a setting of the fault grammar does: `flag` is its effect, or `member` gets a whole number in a range. */
type Setting =
  | { readonly flag: FaultPlan }
  | { readonly member: keyof FaultPlan; readonly from: number; readonly to: number }
  | { readonly read: (value: string | undefined) => FaultPlan };

const TOO_LARGE_DEFAULT_BYTES = 64 * 1024 * 1024;
const WRONG_SHAPES = new Map([
  ['array', '[]'],
  ['object', '{}'],
  ['string', '"ok"'],
  ['null', 'null'],
]);

/** Every setting of the fault grammar, by name. */
const SETTINGS = new Map<string, Setting>([
  ['status', { member: 'status', from: 400, to: 599 }],
  ['retry-after', { member: 'retryAfterSeconds', from: 0, to: 86_400 }],
  ['latency', { member: 'latencyMs', from: 0, to: 86_400_000 }],
  ['hang', { flag: { connection: 'hang' } }],
  ['cut', { flag: { connection: 'cut' } }],
  ['reset', { flag: { connection: 'reset' } }],
  ['not-json', { flag: { body: { kind: 'not-json' } } }],
  ['broken-json', { flag: { body: { kind: 'broken-json' } } }],
  ['wrong-shape', { read: (value) => ({ body: wrongShape(value) }) }],
  ['too-large', { read: (value) => ({ body: tooLarge(value) }) }],
  ['gzip', { flag: { encoding: 'gzip' } }],
  ['br', { flag: { encoding: 'br' } }],
  ['deflate', { flag: { encoding: 'deflate' } }],
  ['bad-gzip', { flag: { encoding: 'bad-gzip' } }],
  ['empty', { flag: { rows: 'empty' } }],
  ['rows', { member: 'rows', from: 0, to: 1_000 }],
  ['odd-rows', { flag: { oddRows: true } }],
  ['echo-key', { flag: { echoKey: true } }],
  ['pending', { member: 'pendingPolls', from: 0, to: 100 }],
  ['fail-first', { member: 'failFirst', from: 1, to: 1_000 }],
]);

/** The names of all faults. */
export const FAULT_NAMES: readonly string[] = [...SETTINGS.keys()];

/** Reads comma-separated settings, such as `status=429,retry-after=2` or `latency=300,gzip`. */
export function parseFault(text: string): FaultPlan {
  let plan: FaultPlan = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim();
    const value = equals < 0 ? undefined : part.slice(equals + 1).trim();
    const setting = SETTINGS.get(name);
    if (!setting) {
      throw new MalformedFault(
        `"${name}" is not a fault; the faults are ${FAULT_NAMES.join(', ')}`,
      );
    }
    const added = planOf(name, setting, value);
    const clash = Object.keys(added).find((member) => Object.hasOwn(plan, member));
    if (clash) throw new MalformedFault(`"${name}" sets ${clash} a second time`);
    plan = { ...plan, ...added };
  }
  if (plan.retryAfterSeconds !== undefined && !plan.status && !plan.failFirst) {
    throw new MalformedFault('"retry-after" needs a status');
  }
  return plan;
}

function planOf(name: string, setting: Setting, value: string | undefined): FaultPlan {
  if ('read' in setting) return setting.read(value);
  if ('member' in setting)
    return { [setting.member]: whole(name, value, setting.from, setting.to) };
  if (value !== undefined) throw new MalformedFault(`"${name}" takes no value`);
  return setting.flag;
}

function whole(name: string, value: string | undefined, least: number, most: number): number {
  const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new MalformedFault(`"${name}" needs a whole number from ${least} to ${most}`);
}

function wrongShape(value = 'array'): BodyFault {
  const text = WRONG_SHAPES.get(value);
  if (text !== undefined) return { kind: 'wrong-shape', text };
  throw new MalformedFault(`"wrong-shape" is one of ${[...WRONG_SHAPES.keys()].join(', ')}`);
}

function tooLarge(value: string | undefined): BodyFault {
  const bytes =
    value === undefined ? TOO_LARGE_DEFAULT_BYTES : whole('too-large', value, 1, 2 ** 40);
  return { kind: 'too-large', bytes };
}
