import { costText } from '@trawl/client/terminal/output';
import { type Deployment, isCandidate, type ProbeOutcome } from '@trawl/router';
import type { Probe } from '@trawl/server';
import type { DoctorCheck } from './doctor-check.ts';

const labelOf = ({ provider, access }: Probe): string =>
  access === undefined ? provider : `${provider} ${access}`;

export const nameOf = (probe: Probe): string => `${probe.role} ${labelOf(probe)}`;

/** A provider that is not called, and why. It is a problem if `--probe` named it. */
export function skippedCheck(probe: Probe, page: URL, isNamed: boolean): DoctorCheck {
  const { obstacle } = probe;
  const check = nameOf(probe);
  const skipped = (message: string): DoctorCheck => ({ check, state: 'skipped', message });
  const group = (message: string) => ({ check: probe.role, message, name: labelOf(probe) });
  if (obstacle === undefined && probe.keyless !== undefined) {
    const { allowance, runs, remark } = probe.keyless;
    const named = runs === 'always' ? '' : ' only where a request names it,';
    const when = `asked${named} without a key`;
    const end = remark === undefined ? '' : `; ${remark}`;
    return { ...skipped(`${when}: ${allowance}${end}`), group: group(`${when}${end}`) };
  }
  if (obstacle === undefined) {
    return {
      ...skipped('configured; --probe calls it'),
      group: group('configured, and called with --probe'),
    };
  }
  if (obstacle.kind === 'other_pages') {
    return skipped(`configured; does not accept pages such as ${page.href}: name one with --page`);
  }
  const setting = obstacle.setting === undefined ? '' : `: ${obstacle.setting} is not set`;
  const message = obstacle.reason ?? `not configured${setting}`;
  if (isNamed) return { check, state: 'problem', message };
  return { ...skipped(message), group: group('not configured') };
}

const TRAINING_TEXTS: Readonly<Record<string, string>> = {
  yes: 'train models on what is sent',
  opt_out: 'do so unless the account switches it off',
  unknown: 'unknown',
  no: 'do not',
};

/** What the services do with what they are sent that run without being named. */
export function dataUseCheck(deployment: Deployment): DoctorCheck {
  const { searchProviders, fetchProviders } = deployment;
  const slugsBy = new Map<string, Set<string>>();
  for (const provider of [...searchProviders.values(), ...fetchProviders.values()]) {
    const { declaration } = provider;
    const { training } = declaration.dataUse;
    if (!isCandidate(provider)) continue;
    slugsBy.set(training, (slugsBy.get(training) ?? new Set()).add(declaration.slug));
  }
  const parts = Object.entries(TRAINING_TEXTS).flatMap(([training, text]) => {
    const slugs = slugsBy.get(training);
    return slugs ? `${text}: ${[...slugs].join(', ')}` : [];
  });
  return { check: 'data use', state: 'ok', message: parts.join('; ') };
}

/** Temporary failures: they do not mean that the key is wrong. */
const TEMPORARY = ['rate_limited'];

/** A provider that was called. */
export function probedCheck(probe: Probe, outcome: ProbeOutcome): DoctorCheck {
  const { status, error, result_count: rows, latency_ms, cost_usd } = outcome;
  const measured = { check: nameOf(probe), latency_ms, cost_usd };
  if (error !== null) {
    const { code } = error;
    if (status === 'failed') {
      const state = TEMPORARY.includes(code) ? 'warning' : 'problem';
      return { ...measured, state, message: error.message, code };
    }
    const message = `answers that it could not read the page (${error.message}): try another one with --page`;
    return { ...measured, state: 'warning', message, code };
  }
  if (rows === 0) {
    const message = 'answers, but found nothing: try a search of your own';
    return { ...measured, state: 'warning', message };
  }
  return {
    ...measured,
    state: 'ok',
    message: `${probe.hasKey ? 'key accepted, ' : ''}answer usable`,
  };
}

/** The total list price of calling these providers. */
export function totalText(probes: readonly Probe[]): string {
  const known = probes.reduce((sum, { price }) => sum + (price.cost_usd ?? 0), 0);
  const isExact = probes.every(({ price }) => price.cost_kind === 'known');
  const unknown = probes.filter(({ price }) => price.cost_usd === null).map(nameOf);
  const tail = unknown.length > 0 ? `, plus the unknown price of ${unknown.join(', ')}` : '';
  return `${isExact ? '' : 'about '}${costText(known)}${tail}`;
}

/** One line per call. */
export function priceLines(probes: readonly Probe[]): string {
  return probes.map((probe) => `  ${nameOf(probe)}  ${costText(probe.price.cost_usd)}\n`).join('');
}
