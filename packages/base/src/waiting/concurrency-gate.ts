import type { Deadline } from '../time/deadline.ts';
import { createLinkedList, type LinkedList } from './linked-list.ts';

/** Which caller wants a slot of which lane. */
export interface SlotRequest {
  /** The name of the lane: a provider and its operation. */
  readonly lane: string;
  /** How many calls may run at once in this lane. */
  readonly slots: number;
  /** The id of an API key; callers take turns. */
  readonly callerId: string;
}

/** Limits how many calls run at once, per lane. */
export interface ConcurrencyGate {
  /** Takes a slot if one is free and no call waits. */
  enter(request: SlotRequest): boolean;
  /** Waits for a slot; false when `deadline` ended first. */
  wait(request: SlotRequest, deadline: Deadline): Promise<boolean>;
  /** Gives the slot back; once for each entry. */
  leave(lane: string): void;
  load(lane: string): LaneLoad;
  /**
   * How many calls get a slot before a new call of this caller, those that have one included; 0 =
   * it gets one at once.
   */
  ahead(request: SlotRequest): number;
}

/** How many calls of a lane have a slot, and how many wait for one. */
export interface LaneLoad {
  readonly active: number;
  readonly waiting: number;
}

interface Waiter {
  readonly slots: number;
  readonly admit: () => void;
}

/** The waiting calls of one caller, oldest first. */
interface CallerQueue {
  readonly callerId: string;
  readonly waiters: LinkedList<Waiter>;
  waiting: number;
}

interface Lane {
  active: number;
  waiting: number;
  /** Callers with waiting calls. The first gets the next slot and then moves to the end. */
  readonly turns: LinkedList<CallerQueue>;
  /** The entry of each caller in `turns`. */
  readonly places: Map<string, ReturnType<LinkedList<CallerQueue>['append']>>;
}

/**
 * A hand-written semaphore, because taking a free slot must be synchronous. Callers take turns for
 * slots, so a burst of one caller delays another caller's call by one turn, not by the whole burst.
 * Each step takes constant time.
 */
export function createConcurrencyGate(): ConcurrencyGate {
  const lanes = new Map<string, Lane>();

  const laneOf = (name: string): Lane => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = { active: 0, waiting: 0, turns: createLinkedList(), places: new Map() };
    lanes.set(name, lane);
    return lane;
  };

  return {
    enter({ lane: name, slots }) {
      const lane = laneOf(name);
      if (lane.turns.first() !== undefined || lane.active >= Math.max(1, slots)) return false;
      lane.active += 1;
      return true;
    },
    wait({ lane: name, slots, callerId }, deadline) {
      const lane = laneOf(name);
      return new Promise((resolve) => {
        const queue = queueOf(lane, callerId);
        const { waiters } = queue;
        lane.waiting += 1;
        queue.waiting += 1;
        const place = waiters.append({
          slots: Math.max(1, slots),
          admit: () => {
            deadline.onEnd(undefined);
            resolve(true);
          },
        });
        deadline.onEnd(() => {
          waiters.remove(place);
          lane.waiting -= 1;
          queue.waiting -= 1;
          if (waiters.first() === undefined) removeCaller(lane, callerId);
          resolve(false);
        });
      });
    },
    leave(name) {
      const lane = laneOf(name);
      lane.active -= 1;
      while (admitNext(lane));
      // a name may contain the id of an API key, and their number is not limited
      if (lane.active === 0) lanes.delete(name);
    },
    load: (name) => {
      const { active, waiting } = lanes.get(name) ?? { active: 0, waiting: 0 };
      return { active, waiting };
    },
    ahead: ({ lane: name, slots, callerId }) => {
      const lane = lanes.get(name);
      if (lane === undefined || (lane.waiting === 0 && lane.active < Math.max(1, slots))) return 0;
      // one call of each caller in each round
      const rounds = (lane.places.get(callerId)?.value.waiting ?? 0) + 1;
      return Math.min(lane.waiting, rounds * lane.places.size) + 1;
    },
  };
}

function queueOf(lane: Lane, callerId: string): CallerQueue {
  const known = lane.places.get(callerId);
  if (known) return known.value;
  const queue: CallerQueue = { callerId, waiters: createLinkedList(), waiting: 0 };
  lane.places.set(callerId, lane.turns.append(queue));
  return queue;
}

function removeCaller(lane: Lane, callerId: string): void {
  const place = lane.places.get(callerId);
  if (place === undefined) return;
  lane.turns.remove(place);
  lane.places.delete(callerId);
}

/**
 * Gives a free slot to the caller whose turn it is. Returns false when no slot is free or no call
 * waits.
 */
function admitNext(lane: Lane): boolean {
  const queue = lane.turns.first()?.value;
  const next = queue?.waiters.first();
  if (queue === undefined || next === undefined || lane.active >= next.value.slots) return false;
  queue.waiters.remove(next);
  queue.waiting -= 1;
  lane.waiting -= 1;
  removeCaller(lane, queue.callerId);
  if (queue.waiters.first() !== undefined) {
    lane.places.set(queue.callerId, lane.turns.append(queue));
  }
  lane.active += 1;
  next.value.admit();
  return true;
}
