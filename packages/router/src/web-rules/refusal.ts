import type { TypedErrorCode, WebRule } from '@trawl/contract';
import { RequestError } from '../requests/request-error.ts';

const CAUSES: Readonly<Record<WebRule, string>> = {
  keys: 'it has a key of this server or of a provider',
  secrets: 'it has what looks like a secret of a known service',
  'hosts.deny': 'its host is denied',
  'hosts.allow': 'its host is not among the allowed ones',
};

/** Which rule refused what, and that nothing happened. Never the text that matched. */
export const ruleText = (what: string, rule: WebRule): string =>
  `${what}: refused by the web rule ${rule}, since ${CAUSES[rule]}; nothing was sent or paid`;

/** @param place the field of the request. @throws RequestError 403 where a rule refuses it */
export function checkRule(place: string, rule: WebRule | null): void {
  if (rule === null) return;
  const code: TypedErrorCode = 'refused_by_rule';
  throw new RequestError(403, ruleText(place, rule), { typed: { code, rule, param: place } });
}
