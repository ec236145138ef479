/**
 * What an `Accept` header names, in lower case, without its parameters. false = its weight is zero,
 * which means "not this": https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2
 */
export function acceptedNames(header: string): ReadonlyMap<string, boolean> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((piece) => piece.trim());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
}
