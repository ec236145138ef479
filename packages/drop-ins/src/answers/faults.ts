import type { ErrorBody } from '@trawl/contract';

type Names = Readonly<Record<string, string>>;

/** Why the API refused a request, in one text that names the vendor's parameters. */
export function faultText(body: ErrorBody, names: Names): string {
  if ('error' in body) return body.error.message;
  if (typeof body.detail === 'string') {
    return 'hint' in body && body.hint ? `${body.detail}; ${body.hint}` : body.detail;
  }
  return body.detail.map(({ loc, msg }) => `${nameOf(loc, names)}: ${msg}`).join('; ');
}

/** `body.search.filters.country` by the vendor's name of it. */
function nameOf(loc: readonly (string | number)[], names: Names): string {
  const place = loc.slice(1).join('.');
  const ours = Object.keys(names).find((name) => place === name || place.startsWith(`${name}.`));
  return ours === undefined ? place : `${names[ours]}${place.slice(ours.length)}`;
}
