import type { ErrorBody } from '@trawl/contract';

type Names = Readonly<Record<string, string>>;

/** Why the API refused a request, in one text that names the vendor's parameters. */
export function faultText(body: ErrorBody, names: Names): string {
  if ('error' in body) return body.error.message;
  if (typeof body.detail === 'string') {
    const detail = withName(body.detail, names);
    return 'hint' in body && body.hint ? `${detail}; ${body.hint}` : detail;
  }
  return body.detail.map(({ loc, msg }) => `${nameOf(loc, names)}: ${msg}`).join('; ');
}

/** `user_input.query: …` begins with the vendor's name of it. */
function withName(detail: string, names: Names): string {
  const [, place] = /^([a-z_][\w.[\]]{0,200}): /.exec(detail) ?? [];
  if (place === undefined) return detail;
  return nameOf(['body', place], names) + detail.slice(place.length);
}

/** `body.search.filters.country` by the vendor's name of it. */
function nameOf(loc: readonly (string | number)[], names: Names): string {
  const place = loc.slice(1).join('.');
  const ours = Object.keys(names).find((name) => place === name || place.startsWith(`${name}.`));
  return ours === undefined ? place : `${names[ours]}${place.slice(ours.length)}`;
}
