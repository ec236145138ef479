import { isApiError } from '@trawl/client/http';
import { describeError } from '../../api/error.ts';

/**
 * What an answer says is wrong with a member of the request, or with something inside of it:
 * `faultsAt(error, 'search.tier')`. A 422 names the place; other refusals name it as their
 * parameter, or begin with it.
 */
export function faultAt(error: unknown, path: string): string | undefined {
  if (!isApiError(error)) return undefined;
  const inside = error.issues.filter(({ loc }) => isInside(placeOf(loc), path));
  if (inside.length > 0) {
    return inside.map((issue) => sentence(withPlace(placeOf(issue.loc), path, issue))).join(' ');
  }
  const { detail, hint } = describeError(error);
  const begin = detail.slice(0, detail.indexOf(':'));
  const named = error.param ?? begin;
  if (error.issues.length > 0 || !isInside(named.replaceAll('[', '.').replaceAll(']', ''), path)) {
    return undefined;
  }
  const text = named === begin ? detail.slice(begin.length + 1).trim() : detail;
  return [text, hint].filter(Boolean).map(sentence).join(' ');
}

/** Whether some field of the form shows the error. */
export const isPlaced = (error: unknown, paths: readonly string[]): boolean =>
  paths.some((path) => faultAt(error, path) !== undefined);

interface Issue {
  readonly msg: string;
  readonly hint?: string | undefined;
}

/** The place inside of the field, as far as it is not the field itself, before the message. */
function withPlace(place: string, path: string, { msg, hint }: Issue): string {
  const rest = place.slice(path.length + 1);
  return [rest === '' ? msg : `${rest}: ${msg}`, hint].filter(Boolean).map(sentence).join(' ');
}

const placeOf = (loc: readonly (string | number)[]): string => loc.slice(1).join('.');

const isInside = (place: string, path: string): boolean =>
  place === path || place.startsWith(`${path}.`);

const sentence = (text: string | null | undefined): string =>
  text && /[.!?]$/.test(text) ? text : `${text}.`;
