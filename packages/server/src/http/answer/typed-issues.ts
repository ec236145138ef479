import { RequestError } from '@trawl/router';
import { type HintOf, type InputFault, validationIssue } from './validation-issues.ts';

/**
 * The one error that a fetch request with faults in its form is answered with: `missing_urls`
 * before all others, else the first. What needs more than the form (cap, validity of a URL,
 * duplicates, provider names) is judged later.
 */
export function typedRefusal(
  faults: readonly [InputFault, ...InputFault[]],
  hintOf: HintOf,
): RequestError {
  const missing = faults.find(isMissingUrls);
  if (missing) {
    return new RequestError(422, 'urls: give at least one URL', {
      typed: { code: 'missing_urls', param: 'urls' },
      hint: hintOf(missing),
    });
  }
  const [first] = faults;
  const param = parameterName(first.path);
  const { msg } = validationIssue(first);
  return new RequestError(422, param === '' ? msg : `${param}: ${msg}`, {
    typed: { code: codeOf(first), ...(param === '' ? {} : { param }) },
    hint: hintOf(first),
  });
}

/** A body that is not a JSON object, so the error has no parameter. */
export function typedBodyRefusal(message: string, hint: string | undefined): RequestError {
  return new RequestError(422, message, { typed: { code: 'invalid_request' }, hint });
}

/** Null counts as absent. */
function isMissingUrls({ place, path, issue, input }: InputFault): boolean {
  if (place !== 'body' || path.length !== 1 || path[0] !== 'urls') return false;
  return issue.code === 'too_small' || issue.input === undefined || input === null;
}

function codeOf({
  place,
  path,
}: InputFault): 'invalid_url' | 'invalid_session' | 'invalid_request' {
  if (place !== 'body') return 'invalid_request';
  if (path[0] === 'urls' && path.length > 1) return 'invalid_url';
  return path[0] === 'session_id' ? 'invalid_session' : 'invalid_request';
}

const NAME_MAX = 256;

/** `urls[0]`, `options.tier`; a name that the caller made up is cut. */
function parameterName(path: readonly PropertyKey[]): string {
  const name = path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join('');
  return name.length <= NAME_MAX
    ? name
    : `${name.slice(0, NAME_MAX).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
