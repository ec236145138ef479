import { projectOfCaller } from '@trawl/base';

/** A queue of items in which projects take turns, and the callers of each. */
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
  // both in the order of turns: a map keeps insertion order
  const projects = new Map<string, Map<string, Lane<Item>>>();
  const isEmpty = ({ urgent, usual }: Lane<Item>) => urgent.size + usual.size === 0;
  const all = () => [...projects.values()].flatMap((lanes) => [...lanes.values()]);
  /** Puts a caller and its project behind all others, if items of them wait. */
  const toEnd = (callerId: string, lane: Lane<Item>, lanes: Map<string, Lane<Item>>): void => {
    lanes.delete(callerId);
    if (!isEmpty(lane)) lanes.set(callerId, lane);
    projects.delete(projectOfCaller(callerId));
    if (lanes.size > 0) projects.set(projectOfCaller(callerId), lanes);
  };
  return {
    add(callerId, item, isUrgent) {
      const lanes = projects.get(projectOfCaller(callerId)) ?? new Map<string, Lane<Item>>();
      const lane = lanes.get(callerId) ?? { urgent: new Set(), usual: new Set() };
      (isUrgent ? lane.urgent : lane.usual).add(item);
      lanes.set(callerId, lane);
      projects.set(projectOfCaller(callerId), lanes);
    },
    remove(callerId, item) {
      const lanes = projects.get(projectOfCaller(callerId));
      const lane = lanes?.get(callerId);
      if (!lanes || !lane) return;
      lane.urgent.delete(item);
      lane.usual.delete(item);
      if (!isEmpty(lane)) return;
      lanes.delete(callerId);
      if (lanes.size === 0) projects.delete(projectOfCaller(callerId));
    },
    next(mayHave) {
      for (const lanes of projects.values()) {
        for (const [callerId, lane] of lanes) {
          if (!mayHave(callerId)) continue;
          const from = lane.urgent.size > 0 ? lane.urgent : lane.usual;
          const [item] = from;
          if (item === undefined) continue;
          from.delete(item);
          toEnd(callerId, lane, lanes);
          return item;
        }
      }
      return undefined;
    },
    size: () => all().reduce((size, { urgent, usual }) => size + urgent.size + usual.size, 0),
    items: () => all().flatMap(({ urgent, usual }) => [...urgent, ...usual]),
  };
}
