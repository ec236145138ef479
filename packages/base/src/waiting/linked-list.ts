/** An entry of a list; it belongs to one list at a time. */
export interface Entry<Value> {
  readonly value: Value;
  previous: Entry<Value> | undefined;
  next: Entry<Value> | undefined;
}

/**
 * A queue that also removes entries from its middle. Each step takes constant time. With a Map or a
 * Set as a queue it would not: finding the first member skips over deleted ones.
 */
export interface LinkedList<Value> {
  first(): Entry<Value> | undefined;
  append(value: Value): Entry<Value>;
  /** `entry` must be in this list. */
  remove(entry: Entry<Value>): void;
}

export function createLinkedList<Value>(): LinkedList<Value> {
  let first: Entry<Value> | undefined;
  let last: Entry<Value> | undefined;
  return {
    first: () => first,
    append(value) {
      const entry: Entry<Value> = { value, previous: last, next: undefined };
      if (last) last.next = entry;
      else first = entry;
      last = entry;
      return entry;
    },
    remove(entry) {
      if (entry.previous) entry.previous.next = entry.next;
      else first = entry.next;
      if (entry.next) entry.next.previous = entry.previous;
      else last = entry.previous;
      // an old entry would keep all that came after it
      entry.previous = undefined;
      entry.next = undefined;
    },
  };
}
