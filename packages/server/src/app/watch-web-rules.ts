import type { WebRules } from '@trawl/contract';
import { changeWebRules, type Deployment, webRulesOf } from '@trawl/router';
import type { Logger } from 'pino';
import { idleEntries, type ReadWebRules, readWebRules, stateOf } from '../config/web-rules-file.ts';

export interface WebRulesWatch {
  readonly stop: () => void;
}

export interface WebRulesWatchOptions {
  /** As read at the start; undefined = it is not set. */
  readonly file: ReadWebRules | undefined;
  readonly deployment: Deployment;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly pauseMs?: number;
}

const PAUSE_MS = 250;

/**
 * Looks at the file of web rules, and reads it again when it has changed and is the same at two
 * looks: one that is being written is not read. Rules that cannot be read leave those in use.
 */
export function watchWebRules({
  file,
  deployment,
  log,
  pauseMs = PAUSE_MS,
}: WebRulesWatchOptions): WebRulesWatch {
  if (!file) return { stop: () => {} };
  const { path } = file;
  useRules(deployment, file.rules);
  sayWhatIsIdle(file, log);
  /** Of what is in use, or was refused. */
  let read = file.state;
  let last = read;

  function use(): void {
    const found = readWebRules(path);
    // one that changed while it was read is read again
    if (stateOf(path) !== read) return;
    if ('problem' in found) {
      log.warn(`WEB_RULES_FILE ${found.problem}: the rules in use stay`);
      return;
    }
    useRules(deployment, found.value.rules);
    log.info({ path, ...countsOf(found.value) }, 'the web rules changed');
    sayWhatIsIdle(found.value, log);
  }

  const look = () => {
    const now = stateOf(path);
    if (now === last && now !== read) {
      read = now;
      use();
    }
    last = now;
  };
  const timer = setInterval(look, pauseMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** For the log. */
export const countsOf = ({ rules: { hosts, secrets } }: ReadWebRules) => ({
  denied: hosts?.deny?.length ?? 0,
  allowed: hosts?.allow?.length ?? 0,
  secrets: secrets ?? 'off',
});

const NAMED_MAX = 5;

function sayWhatIsIdle({ rules }: ReadWebRules, log: Pick<Logger, 'warn'>): void {
  const idle = idleEntries(rules);
  if (idle.length === 0) return;
  log.warn(
    { hosts: idle.slice(0, NAMED_MAX), count: idle.length },
    'entries of hosts.allow have no effect: hosts.deny names them too, and it wins',
  );
}

/** Long lists are made ready here, not in the next request. */
function useRules(deployment: Deployment, rules: WebRules): void {
  changeWebRules(deployment, rules);
  webRulesOf(deployment, undefined);
}
