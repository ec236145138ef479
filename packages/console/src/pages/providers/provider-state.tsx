import { Status, type Tone } from '../../parts/badge.tsx';
import { durationText } from '../../parts/time-text.ts';
import type { ProviderStatus } from './provider-query.ts';

const CREDENTIALS: Readonly<Record<ProviderStatus['credential'], readonly [Tone, string]>> = {
  set: ['good', 'set'],
  not_needed: ['neutral', 'not needed'],
  keyless: ['neutral', 'asked without a key'],
  missing: ['warn', 'missing'],
  refused: ['bad', 'refused'],
};

/** Whether the server can ask it: its credential, never the value. */
export function CredentialState({ provider }: { readonly provider: ProviderStatus }) {
  const [tone, text] = CREDENTIALS[provider.credential];
  return <Status tone={tone}>{text}</Status>;
}

/** Whether calls are sent now, and how long none is. */
export function CircuitState({
  provider: { circuit },
}: {
  readonly provider: Pick<ProviderStatus, 'circuit'>;
}) {
  if (circuit === null) return <span className="soft">has none</span>;
  if (circuit.state === 'closed') return <Status tone="good">closed</Status>;
  const left = circuit.retry_after_ms;
  const rest = left === null ? 'the next call decides' : `${durationText(left)} left`;
  const word = circuit.state === 'open' ? 'open' : 'half open';
  return (
    <Status tone={circuit.state === 'open' ? 'bad' : 'warn'}>
      {`${word}: ${circuit.cause}, ${rest}`}
    </Status>
  );
}

const ANSWERS: Readonly<Record<string, readonly [Tone, string]>> = {
  doubtful: ['warn', 'answers doubtful'],
  ill: ['bad', 'answers ill'],
};

/** Whether its answers went bad, although they arrive; nothing while they are well. */
export function AnswersState({ provider: { answers } }: { readonly provider: ProviderStatus }) {
  const [tone, text] = ANSWERS[answers?.state ?? ''] ?? [];
  return tone === undefined ? null : <Status tone={tone}>{text}</Status>;
}

/** What to do about a provider that cannot be asked or fails, in one sentence; null = nothing. */
export function adviceFor({
  credential,
  setting,
  circuit,
  answers,
  accesses,
}: ProviderStatus): string | null {
  if (credential === 'missing') {
    return setting === null
      ? 'It is not configured.'
      : `An operator sets its key here, or ${setting} in the environment of the server.`;
  }
  if (credential === 'refused') {
    return `Its credential was refused at the last call: check ${setting ?? 'it'}, and probe it.`;
  }
  if (circuit?.cause === 'rate_limited') {
    return 'It limits the rate of calls: send fewer, or raise the plan with the provider.';
  }
  if (circuit?.cause === 'quota_exhausted')
    return 'Its quota is used up: top up, or raise the plan.';
  if (circuit?.state === 'half_open') {
    return 'It failed several times in a row. The next call decides whether it is asked again.';
  }
  if (circuit !== null && circuit.state !== 'closed') {
    return 'It failed several times in a row. Calls pass again after the time that is left; a probe may end it earlier.';
  }
  const resting = accesses.filter(isResting);
  if (resting.length === 0) {
    return answers?.state === 'ill'
      ? 'It answers, but worse than before: report what is missing to the provider.'
      : null;
  }
  const names = resting.map((access) => `${accessName(access)} (${access.circuit.cause})`);
  return `${resting.length} of ${accesses.length} cool down, the others are used: ${names.join(', ')}.`;
}

type Access = ProviderStatus['accesses'][number];

/** A key or address that is not used at present. */
export const isResting = ({ circuit }: Access): boolean => circuit.state !== 'closed';

/** What people know a key by, or an address. */
export const accessName = ({ key_tail, address }: Access): string =>
  address ?? (key_tail === null ? 'a key that is too short to be shown' : `…${key_tail}`);
