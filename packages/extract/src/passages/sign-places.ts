/** Where each sign stands in a row of the model, by its name: names and values cannot drift apart. */
export function placesOf<Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  const places = Object.fromEntries(names.map((name, place) => [name, place]));
  // `fromEntries` knows no names
  return places as Record<Name, number>;
}
