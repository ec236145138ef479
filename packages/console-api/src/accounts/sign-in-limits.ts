import { type Clock, networkOf } from '@trawl/base';
import { type AttemptLimit, createAttempts, tried } from './attempts.ts';
import type { Devices } from './devices.ts';
import type { RequestFacts } from './request-facts.ts';

/**
 * How often callers may fail to sign in. Strangers share the limit of their network address, and
 * are limited for each account. A device on which the person was signed in before has a limit of
 * its own, so that strangers cannot lock the person out.
 */
export interface SignInLimits {
  /** A sign-in with a password. @param email as it was sent @throws RequestError 429 */
  password<Value>(email: string, facts: RequestFacts, work: () => Promise<Value>): Promise<Value>;
  /** A way to the identity provider and back begins; each counts. @throws RequestError 429 */
  start(facts: RequestFacts): Promise<void>;
  /** It ends. @param hasFailed whether it ended without a session @throws RequestError 429 */
  finish<Value>(
    facts: RequestFacts,
    work: () => Promise<Value>,
    hasFailed: (value: Value) => boolean,
  ): Promise<Value>;
  /**
   * A wrong code for the first account. A right one cannot be guessed, and is not limited. @throws
   * RequestError 429
   */
  wrongCode(facts: RequestFacts): void;
  /** A wrong link for a new password; as for codes. @throws RequestError 429 */
  wrongLink(facts: RequestFacts): void;
}

const WINDOW_MS = 300_000;
const PER_EMAIL: AttemptLimit = { max: 10, windowMs: WINDOW_MS };
const PER_DEVICE = PER_EMAIL;
/** Higher, because people behind one proxy may share its address. */
const PER_ADDRESS: AttemptLimit = { max: 60, windowMs: WINDOW_MS };
/** Not only failures: it is not known yet how they end. */
const STARTS: AttemptLimit = { max: 300, windowMs: WINDOW_MS };
/** Only the start of a longer text is counted: it is not an address. */
const EMAIL_CHARACTERS = 300;

export function createSignInLimits(clock: Pick<Clock, 'now'>, devices: Devices): SignInLimits {
  const perEmail = createAttempts(PER_EMAIL, clock);
  const perDevice = createAttempts(PER_DEVICE, clock);
  const perAddress = createAttempts(PER_ADDRESS, clock);
  const codes = createAttempts(PER_ADDRESS, clock);
  const links = createAttempts(PER_ADDRESS, clock);
  const starts = createAttempts(STARTS, clock);
  const returns = createAttempts(PER_ADDRESS, clock);
  return {
    password: async (sent, facts, work) => {
      const email = sent.slice(0, EMAIL_CHARACTERS).toLowerCase();
      const device = await devices.read(facts.device);
      const takes =
        device?.email === email
          ? [() => perDevice.take(device.id)]
          : [() => perAddress.take(callerOf(facts)), () => perEmail.take(email)];
      return tried(takes, work);
    },
    start: async (facts) => {
      const device = await devices.read(facts.device);
      starts.take(device?.id ?? callerOf(facts));
    },
    finish: async (facts, work, hasFailed) => {
      const device = await devices.read(facts.device);
      const take = device ? () => perDevice.take(device.id) : () => returns.take(callerOf(facts));
      return tried([take], work, hasFailed);
    },
    wrongCode: (facts) => void codes.take(callerOf(facts)),
    wrongLink: (facts) => void links.take(callerOf(facts)),
  };
}

/** Callers of no known address share a limit. */
const callerOf = ({ address }: RequestFacts): string =>
  address === null ? 'unknown' : networkOf(address);
