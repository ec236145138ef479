import type { WebRule } from '@trawl/contract';
import { checkRule } from '../web-rules/refusal.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import type { PageTarget } from './check.ts';
import type { FetchCommand } from './command.ts';

/**
 * The pages with the rules that refuse them, and the request with their URLs as they are recorded
 * and answered: a key or a secret in one is in neither.
 * @throws RequestError 403 for a query of passages that has one
 */
export function underWebRules(
  command: FetchCommand,
  targets: readonly PageTarget[],
  rules: WebRules,
): { readonly command: FetchCommand; readonly targets: readonly PageTarget[] } {
  const { focus } = command.options;
  if (focus !== null) checkRule('options.focus.query', rules.ofText(focus.query));
  const ruled = targets.map((target) => {
    const rule = rules.ofUrl(target.url);
    return rule === null ? target : { ...shownTarget(target, rule, rules), rule };
  });
  if (ruled.every((target, index) => target === targets[index])) return { command, targets };
  return { command: { ...command, urls: ruled.map(({ url }) => url) }, targets: ruled };
}

const REDACTED = '[redacted]';

function shownTarget(target: PageTarget, rule: WebRule, rules: WebRules): PageTarget {
  if (rule !== 'keys' && rule !== 'secrets') return target;
  const { origin, protocol } = target.parsed;
  const hasSecretHost = rules.ofTokens(origin) !== null;
  const url = `${hasSecretHost ? `${protocol}//${REDACTED}` : origin}/${REDACTED}`;
  return { ...target, url, comparable: url };
}
