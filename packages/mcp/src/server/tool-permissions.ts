import type { McpToolName, Permission } from '@trawl/contract';
import { isObject } from '../tools/lenient.ts';

/** What a key needs for each tool. */
const NEEDS: Readonly<Record<McpToolName, readonly Permission[]>> = {
  web_search: ['search'],
  web_fetch: ['fetch'],
  web_context: ['search', 'fetch'],
  search_history: ['read'],
  verify_quotes: ['read'],
  search: ['search'],
  fetch: ['fetch'],
};

/** The permissions of the tools that a message, or a list of messages, calls. */
export function permissionsOf(body: unknown): readonly Permission[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const called = messages.flatMap((message) => {
    if (!isObject(message) || message.method !== 'tools/call') return [];
    const { name, arguments: given } = isObject(message.params) ? message.params : {};
    if (typeof name !== 'string' || !Object.hasOwn(NEEDS, name)) return [];
    const isWithoutPages = isObject(given) && Number(given.max_pages ?? 1) === 0;
    if (name === 'web_context' && isWithoutPages) return NEEDS.web_search;
    return NEEDS[name as McpToolName];
  });
  return [...new Set(called)];
}
