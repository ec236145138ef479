/** The place of each sign in a row of the model, by name, so names and values stay together. */
export function placesOf<Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, number>> {
  const places = Object.fromEntries(names.map((name, place) => [name, place]));
  // `fromEntries` knows no names
  return places as Record<Name, number>;
}
