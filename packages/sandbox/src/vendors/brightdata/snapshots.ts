import type { VendorRequest } from '../../shell/vendor.ts';
import { digest } from '../../util/seed.ts';
import type { Inputs } from './inputs.ts';

export interface Snapshot {
  readonly inputs: Inputs;
  readonly records: readonly unknown[];
  readonly status: 'starting' | 'running' | 'ready' | 'failed';
}

/** The collections under way. They advance with each question about their progress. */
export interface Snapshots {
  add(request: VendorRequest, inputs: Inputs, records: readonly unknown[]): string;
  /** Uses up one of the questions that are answered with "not yet". */
  poll(id: string): Snapshot | undefined;
  find(id: string): Snapshot | undefined;
}

const PENDING_DEFAULT = 2;
const SNAPSHOTS_MAX = 1_000;

interface Entry {
  readonly inputs: Inputs;
  readonly records: readonly unknown[];
  readonly pending: number;
  polls: number;
}

export function createSnapshots(): Snapshots {
  const entries = new Map<string, Entry>();
  const find = (id: string): Snapshot | undefined => {
    const entry = entries.get(id);
    return entry && { inputs: entry.inputs, records: entry.records, status: statusOf(entry) };
  };
  return {
    add(request, inputs, records) {
      const id = `s_${digest('snapshot', request.fingerprint).slice(0, 20)}`;
      const pending = request.faults.pendingPolls ?? pendingIn(inputs) ?? PENDING_DEFAULT;
      entries.set(id, { inputs, records, pending, polls: 0 });
      const [oldest] = entries.keys();
      if (entries.size > SNAPSHOTS_MAX && oldest !== undefined) entries.delete(oldest);
      return id;
    },
    poll(id) {
      const snapshot = find(id);
      const entry = entries.get(id);
      if (entry) entry.polls += 1;
      return snapshot;
    },
    find,
  };
}

/** `slow-record-4` in an address: four questions before it is ready. */
function pendingIn({ urls }: Inputs): number | undefined {
  const found = urls.map((url) => /slow-record-(\d{1,2})(?!\d)/.exec(url)?.[1]).find(Boolean);
  return found === undefined ? undefined : Number(found);
}

function statusOf({ inputs, polls, pending }: Entry): Snapshot['status'] {
  if (polls < pending) return polls === 0 ? 'starting' : 'running';
  return inputs.urls.some((url) => url.includes('failing-snapshot')) ? 'failed' : 'ready';
}
