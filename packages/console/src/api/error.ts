import { isApiError, isTrawlError, type TrawlApiError } from '@trawl/client/http';

interface Described {
  /** Why it failed, in one text for a person. */
  readonly detail: string;
  readonly hint?: string | null | undefined;
  readonly requestId?: string | null;
}

/** What a failed call, or any other error, says to a person. */
export function describeError(error: unknown): Described {
  if (isApiError(error)) {
    const { status, reason, hint, requestId } = error;
    const [issue] = error.issues;
    return issue
      ? {
          detail: `${issue.loc.slice(1).join('.')}: ${plainText(issue)}`,
          hint: issue.hint,
          requestId,
        }
      : { detail: reason ?? `The server answered ${status ?? 500}`, hint, requestId };
  }
  if (isUnanswered(error)) return { detail: 'The server did not answer' };
  return { detail: error instanceof Error ? error.message : 'Something unexpected happened' };
}

/** Whether a call had no answer, or lost it on the way. */
const isUnanswered = (error: unknown): boolean =>
  isTrawlError(error) && error.kind === 'connection';

/** Whether the server refused a call with this status. */
export const hasStatus = (error: unknown, status: number): boolean =>
  isApiError(error) && error.status === status;

/** Whether the same call may succeed a moment later. */
export const mayPass = (error: unknown): boolean =>
  isUnanswered(error) || (isApiError(error) && (error.status ?? 0) >= 502);

/** The fault at one field of a form: `issueAt(error, 'body', 'name')`. Undefined without one. */
export function issueAt(
  error: unknown,
  ...place: readonly (string | number)[]
): string | undefined {
  if (!isApiError(error)) return undefined;
  return issueText(error.issues.find(({ loc }) => loc.join('.') === place.join('.')));
}

/** The first fault at a field or in the list that it holds. */
export function issueUnder(
  error: unknown,
  ...place: readonly (string | number)[]
): string | undefined {
  if (!isApiError(error)) return undefined;
  return issueText(error.issues.find(({ loc }) => place.every((step, at) => loc[at] === step)));
}

const issueText = (found: Issue | undefined): string | undefined =>
  found && [plainText(found), found.hint].filter(Boolean).join('; ');

type Issue = TrawlApiError['issues'][number];

/** The contract's words are for programs: what people type is not a string for them. */
function plainText({ type, msg, ctx }: Issue): string {
  const { min_length: least, max_length: most } = ctx ?? {};
  if (type === 'string_too_short' && typeof least === 'number') {
    return `At least ${counted(least)} needed`;
  }
  if (type === 'string_too_long' && typeof most === 'number') {
    return `At most ${counted(most)} allowed`;
  }
  return msg;
}

const counted = (limit: number): string =>
  limit === 1 ? '1 character is' : `${limit} characters are`;
