import { acceptedNames } from '@trawl/base';

/** What a text answer is sent as. */
export type TextType = 'text/markdown' | 'text/plain';

/**
 * What an `Accept` header asks for, if that is text: markdown where it is named, plain text where
 * no JSON would do, which `application/*` would. undefined = JSON.
 */
export function textType(accept: string | null): TextType | undefined {
  // most requests name neither: to see that takes less than to read the header
  if (accept?.toLowerCase().includes('text/') !== true) return undefined;
  const names = acceptedNames(accept);
  if (names.get('text/markdown')) return 'text/markdown';
  const isJson = ([name, isWanted]: readonly [string, boolean]) =>
    isWanted && (/^(?:\*|application)\/\*$/.test(name) || name.endsWith('json'));
  return names.get('text/plain') && ![...names].some(isJson) ? 'text/plain' : undefined;
}
