import { checkRule } from '../web-rules/refusal.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import type { SearchCommand } from './command.ts';

/**
 * What a search would send, before any of it is sent. One refused query refuses the whole request.
 * @throws RequestError 403
 */
export function checkWhatLeaves({ queries, options }: SearchCommand, rules: WebRules): void {
  for (const [index, query] of queries.entries()) {
    const place = queries.length > 1 ? `user_input[${index}].query` : 'user_input.query';
    checkRule(place, rules.ofText(query));
  }
  checkRule('search.provider_overrides', rules.ofValue(options.provider_overrides));
  checkRule('search.filters', rules.ofValue(options.filters));
}
