import { CONSOLE_LIMITS } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import { z } from 'zod';

const { nameCharacters, emailCharacters, passwordMin, passwordMax } = CONSOLE_LIMITS;
const email = z.email();

/** A person's name without blanks around it. @throws RequestError 422 */
export function checkedName(name: string): string {
  const trimmed = name.length > nameCharacters * 2 ? '' : name.trim();
  if (trimmed !== '' && trimmed.length <= nameCharacters && !/\p{Cc}/u.test(trimmed)) {
    return trimmed;
  }
  throw new RequestError(
    422,
    `name must be 1 to ${nameCharacters} characters without control characters`,
  );
}

/** An address in lower case; undefined if it is not one. */
export const readEmail = (text: string): string | undefined =>
  text.length <= emailCharacters && email.safeParse(text).success ? text.toLowerCase() : undefined;

/** An address in lower case. @throws RequestError 422 */
export function checkedEmail(text: string): string {
  const address = readEmail(text);
  if (address !== undefined) return address;
  throw new RequestError(
    422,
    `email must be an address such as ada@example.com, of at most ${emailCharacters} characters`,
  );
}

/** A password that is being set. @throws RequestError 422 */
export function checkedPassword(password: string): string {
  if (password.length >= passwordMin && password.length <= passwordMax) return password;
  throw new RequestError(422, `password must be ${passwordMin} to ${passwordMax} characters`);
}
