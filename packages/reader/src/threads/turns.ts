/** A queue of items in which callers take turns. */
export interface Turns<Item> {
  /** @param isUrgent goes before the caller's other waiting items, except urgent ones */
  add(callerId: string, item: Item, isUrgent: boolean): void;
  /** Removes an item, wherever it waits. */
  remove(callerId: string, item: Item): void;
  /**
   * The next item of the caller whose turn it is. Callers for which `mayHave` is false are skipped
   * and keep their place.
   */
  next(mayHave: (callerId: string) => boolean): Item | undefined;
  size(): number;
  /** All waiting items. */
  items(): readonly Item[];
}

interface Lane<Item> {
  readonly urgent: Set<Item>;
  readonly usual: Set<Item>;
}

/** Creates a queue in which callers take turns, however many items each has waiting. */
export function createTurns<Item>(): Turns<Item> {
  // in the order of turns: a map keeps insertion order
  const lanes = new Map<string, Lane<Item>>();
  const isEmpty = ({ urgent, usual }: Lane<Item>) => urgent.size + usual.size === 0;
  return {
    add(callerId, item, isUrgent) {
      const lane = lanes.get(callerId) ?? { urgent: new Set(), usual: new Set() };
      (isUrgent ? lane.urgent : lane.usual).add(item);
      lanes.set(callerId, lane);
    },
    remove(callerId, item) {
      const lane = lanes.get(callerId);
      if (!lane) return;
      lane.urgent.delete(item);
      lane.usual.delete(item);
      if (isEmpty(lane)) lanes.delete(callerId);
    },
    next(mayHave) {
      for (const [callerId, lane] of lanes) {
        if (!mayHave(callerId)) continue;
        const from = lane.urgent.size > 0 ? lane.urgent : lane.usual;
        const [item] = from;
        if (item === undefined) continue;
        from.delete(item);
        lanes.delete(callerId);
        if (!isEmpty(lane)) lanes.set(callerId, lane);
        return item;
      }
      return undefined;
    },
    size: () => {
      let size = 0;
      for (const { urgent, usual } of lanes.values()) size += urgent.size + usual.size;
      return size;
    },
    items: () => [...lanes.values()].flatMap(({ urgent, usual }) => [...urgent, ...usual]),
  };
}
