import type { Deadline } from '../time/deadline.ts';
import { createLinkedList, type Entry, type LinkedList } from './linked-list.ts';

/** Which caller wants a slot of which lane. */
export interface SlotRequest {
  /** The name of the lane: a provider and its operation. */
  readonly lane: string;
  /** How many calls may run at once in this lane. */
  readonly slots: number;
  /** As `callerIdOf` makes it: projects take turns, and so do the callers of each. */
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
  readonly id: string;
  readonly waiters: LinkedList<Waiter>;
  waiting: number;
}

/** Those that take turns. The first gets the next slot and then moves to the end. */
interface Turns<Queue extends { readonly id: string }> {
  readonly order: LinkedList<Queue>;
  /** The entry of each in `order`. */
  readonly places: Map<string, Entry<Queue>>;
}

/** The callers of one project with waiting calls. */
interface ProjectQueue extends Turns<CallerQueue> {
  readonly id: string;
  waiting: number;
}

/** The projects with waiting calls. */
interface Lane extends Turns<ProjectQueue> {
  active: number;
  waiting: number;
}

/**
 * A hand-written semaphore, because taking a free slot must be synchronous. Projects take turns for
 * slots, and the callers of a project for its turns, so a burst of one delays another's call by one
 * turn, not by the whole burst. Each step takes constant time.
 */
export function createConcurrencyGate(): ConcurrencyGate {
  const lanes = new Map<string, Lane>();

  const laneOf = (name: string): Lane => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: Lane = { active: 0, waiting: 0, ...createTurns() };
    lanes.set(name, lane);
    return lane;
  };

  return {
    enter({ lane: name, slots }) {
      const lane = laneOf(name);
      if (lane.order.first() !== undefined || lane.active >= Math.max(1, slots)) return false;
      lane.active += 1;
      return true;
    },
    wait({ lane: name, slots, callerId }, deadline) {
      const lane = laneOf(name);
      return new Promise((resolve) => {
        const projectId = projectOfCaller(callerId);
        const project = queueOf(lane, projectId, { ...createTurns<CallerQueue>(), waiting: 0 });
        const caller = queueOf(project, callerId, {
          waiters: createLinkedList<Waiter>(),
          waiting: 0,
        });
        const queues: Queues = { lane, project, caller };
        count(queues, 1);
        const place = caller.waiters.append({
          slots: Math.max(1, slots),
          admit: () => {
            deadline.onEnd(undefined);
            resolve(true);
          },
        });
        deadline.onEnd(() => {
          caller.waiters.remove(place);
          count(queues, -1);
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
      const project = lane.places.get(projectOfCaller(callerId))?.value;
      const own = project?.places.get(callerId)?.value.waiting ?? 0;
      // one call of each caller in each round of its project, and one of each project in all rounds
      const callers = (project?.places.size ?? 0) + (own > 0 ? 0 : 1);
      const ofProject = Math.min(project?.waiting ?? 0, (own + 1) * callers - 1);
      const projects = lane.places.size + (project ? 0 : 1);
      return Math.min(lane.waiting, (ofProject + 1) * projects - 1) + 1;
    },
  };
}

interface Queues {
  readonly lane: Lane;
  readonly project: ProjectQueue;
  readonly caller: CallerQueue;
}

const createTurns = <Queue extends { readonly id: string }>(): Turns<Queue> => ({
  order: createLinkedList(),
  places: new Map(),
});

/** The queue that takes turns under this id: a new one behind all others, if it has none. */
function queueOf<New extends object>(
  turns: Turns<New & { readonly id: string }>,
  id: string,
  queue: New,
): New & { readonly id: string } {
  const known = turns.places.get(id) ?? turns.order.append({ ...queue, id });
  turns.places.set(id, known);
  return known.value;
}

/** One more waiting call, or one less: then those that have none wait for no turn. */
function count({ lane, project, caller }: Queues, more: 1 | -1): void {
  for (const queue of [lane, project, caller]) queue.waiting += more;
  if (caller.waiting === 0) leaveTurns(project, caller.id);
  if (project.waiting === 0) leaveTurns(lane, project.id);
}

function leaveTurns<Queue extends { readonly id: string }>(turns: Turns<Queue>, id: string): void {
  const place = turns.places.get(id);
  if (place === undefined) return;
  turns.order.remove(place);
  turns.places.delete(id);
}

/** Whose turn it was: behind all others, if it still waits. */
function toEnd<Queue extends { readonly id: string }>(turns: Turns<Queue>, queue: Queue): void {
  if (!turns.places.has(queue.id)) return;
  leaveTurns(turns, queue.id);
  turns.places.set(queue.id, turns.order.append(queue));
}

/**
 * Gives a free slot to the caller whose turn it is. Returns false when no slot is free or no call
 * waits.
 */
function admitNext(lane: Lane): boolean {
  const project = lane.order.first()?.value;
  const caller = project?.order.first()?.value;
  const next = caller?.waiters.first();
  if (!project || !caller || !next || lane.active >= next.value.slots) return false;
  caller.waiters.remove(next);
  count({ lane, project, caller }, -1);
  toEnd(project, caller);
  toEnd(lane, project);
  lane.active += 1;
  next.value.admit();
  return true;
}

/**
 * Who takes turns: a key of a project. Projects take turns, and the keys of one share its turns, so
 * that no project gets more by more keys.
 */
export const callerIdOf = ({ projectId, keyId }: { projectId: string; keyId: string }): string =>
  `${projectId}/${keyId}`;

/** The project of such an id; any other id takes its own turns. */
export const projectOfCaller = (callerId: string): string => callerId.split('/', 1)[0] ?? '';
