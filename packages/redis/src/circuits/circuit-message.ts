import { RUN_ERRORS, type RunErrorCode } from '@trawl/contract';

/** What a replica says of a circuit. */
export interface CircuitMessage {
  /** The replica. */
  readonly from: string;
  readonly circuit: string;
  /** null = the circuit is closed. */
  readonly open: OpenCircuit | null;
}

export interface OpenCircuit {
  readonly cause: RunErrorCode;
  readonly openings: number;
  /** What is left of the cool-down. */
  readonly openMs: number;
  /** Equal on replicas that have the same keys of the provider. */
  readonly mark: string;
}

/** A provider and an operation; of one key or address of several, also a hash of it. */
const CIRCUIT = /^[a-z0-9_-]{1,64}:[a-z]{1,16}(?::[0-9a-f]{12})?$/;
/** No cool-down is longer: a wrong message does not switch a provider off for good. */
const OPEN_MAX_MS = 900_000;
const OPENINGS_MAX = 1_000;

/** undefined = not a message of ours. */
export function readCircuitMessage(text: string): CircuitMessage | undefined {
  const message = readObject(text);
  if (message === undefined) return undefined;
  const { from = '', circuit, cause, mark } = message;
  if (typeof from !== 'string' || typeof circuit !== 'string' || !CIRCUIT.test(circuit)) {
    return undefined;
  }
  if (cause === undefined) return { from, circuit, open: null };
  const openings = whole(message.openings, OPENINGS_MAX);
  const openMs = whole(message.openMs, OPEN_MAX_MS);
  const isWhole = isCode(cause) && openings !== undefined && openMs !== undefined;
  if (!isWhole || typeof mark !== 'string') return undefined;
  return { from, circuit, open: { cause, openings, openMs, mark } };
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const isCode = (value: unknown): value is RunErrorCode =>
  typeof value === 'string' && Object.hasOwn(RUN_ERRORS, value);

const whole = (value: unknown, most: number): number | undefined =>
  typeof value === 'number' && value >= 0 ? Math.min(Math.round(value), most) : undefined;
