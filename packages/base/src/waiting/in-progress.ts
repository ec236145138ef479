/** What is in progress, by a name: values that come and go with each request. */
export interface InProgress<Name extends string | number, Value> {
  readonly size: number;
  get(name: Name): Value | undefined;
  set(name: Name, value: Value): void;
  delete(name: Name): void;
  /** In the order in which their names were set. */
  values(): readonly Value[];
}

/**
 * A Map that lets go of what was deleted. When the engine makes a new table for a Map or Set that
 * grew or shrank, the old table keeps its values and refers to the new one. A full garbage
 * collection makes the table of that time old. From then on every later table outlives quick
 * collections, and with them about half of all values that were ever in the Map, such as whole
 * requests. Here a table has only a name and a place, which is emptied.
 */
export function createInProgress<Name extends string | number, Value>(): InProgress<Name, Value> {
  const places = new Map<Name, { value: Value | undefined }>();
  return {
    get size() {
      return places.size;
    },
    get: (name) => places.get(name)?.value,
    set(name, value) {
      const place = places.get(name);
      if (place) place.value = value;
      else places.set(name, { value });
    },
    delete(name) {
      const place = places.get(name);
      if (!place) return;
      place.value = undefined;
      places.delete(name);
    },
    values: () => [...places.values()].flatMap(({ value }) => (value === undefined ? [] : [value])),
  };
}
