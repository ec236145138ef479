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

type Reader = (value: string | undefined) => FaultPlan;

const DAY_MS = 86_400_000;
const TOO_LARGE_DEFAULT_BYTES = 64 * 1024 * 1024;
const WRONG_SHAPES: Readonly<Record<string, string>> = {
  array: '[]',
  object: '{}',
  string: '"ok"',
  null: 'null',
};

/** Every setting of the fault grammar, by name. */
const SETTINGS: Readonly<Record<string, Reader>> = {
  status: (value) => ({ status: whole('status', value, 400, 599) }),
  'retry-after': (value) => ({ retryAfterSeconds: whole('retry-after', value, 0, 86_400) }),
  latency: (value) => ({ latencyMs: whole('latency', value, 0, DAY_MS) }),
  hang: flag('hang', { connection: 'hang' }),
  cut: flag('cut', { connection: 'cut' }),
  reset: flag('reset', { connection: 'reset' }),
  'not-json': flag('not-json', { body: { kind: 'not-json' } }),
  'broken-json': flag('broken-json', { body: { kind: 'broken-json' } }),
  'wrong-shape': (value) => ({ body: { kind: 'wrong-shape', text: wrongShape(value) } }),
  'too-large': (value) => ({
    body: {
      kind: 'too-large',
      bytes: value === undefined ? TOO_LARGE_DEFAULT_BYTES : whole('too-large', value, 1, 2 ** 40),
    },
  }),
  gzip: flag('gzip', { encoding: 'gzip' }),
  br: flag('br', { encoding: 'br' }),
  deflate: flag('deflate', { encoding: 'deflate' }),
  'bad-gzip': flag('bad-gzip', { encoding: 'bad-gzip' }),
  empty: flag('empty', { rows: 'empty' }),
  rows: (value) => ({ rows: whole('rows', value, 0, 1_000) }),
  'odd-rows': flag('odd-rows', { oddRows: true }),
  'echo-key': flag('echo-key', { echoKey: true }),
  pending: (value) => ({ pendingPolls: whole('pending', value, 0, 100) }),
  'fail-first': (value) => ({ failFirst: whole('fail-first', value, 1, 1_000) }),
};

/** The names of all faults. */
export const FAULT_NAMES: readonly string[] = Object.keys(SETTINGS);

/** Reads comma-separated settings, such as `status=429,retry-after=2` or `latency=300,gzip`. */
export function parseFault(text: string): FaultPlan {
  let plan: FaultPlan = {};
  for (const setting of text.split(',')) {
    const equals = setting.indexOf('=');
    const name = (equals < 0 ? setting : setting.slice(0, equals)).trim();
    const value = equals < 0 ? undefined : setting.slice(equals + 1).trim();
    const read = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
    if (!read) {
      throw new MalformedFault(
        `"${name}" is not a fault; the faults are ${FAULT_NAMES.join(', ')}`,
      );
    }
    const added = read(value);
    const clash = Object.keys(added).find((member) => Object.hasOwn(plan, member));
    if (clash) throw new MalformedFault(`"${name}" sets ${clash} a second time`);
    plan = { ...plan, ...added };
  }
  if (plan.retryAfterSeconds !== undefined && !plan.status && !plan.failFirst) {
    throw new MalformedFault('"retry-after" needs a status');
  }
  return plan;
}

function flag(name: string, plan: FaultPlan): Reader {
  return (value) => {
    if (value !== undefined) throw new MalformedFault(`"${name}" takes no value`);
    return plan;
  };
}

function whole(name: string, value: string | undefined, least: number, most: number): number {
  const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new MalformedFault(`"${name}" needs a whole number from ${least} to ${most}`);
}

function wrongShape(value = 'array'): string {
  const text = Object.hasOwn(WRONG_SHAPES, value) ? WRONG_SHAPES[value] : undefined;
  if (text === undefined) {
    throw new MalformedFault(`"wrong-shape" is one of ${Object.keys(WRONG_SHAPES).join(', ')}`);
  }
  return text;
}
