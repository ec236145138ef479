import type { AddressParameters } from './values.ts';

/**
 * The parameters of an address as plain texts. Of a name that occurs twice, the last one counts.
 */
export const parseSearch = (text: string): AddressParameters =>
  Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
