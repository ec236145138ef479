import type { CallLog } from './call-log.ts';
import type { FaultBook } from './fault-book.ts';
import type { AcceptsKey, Vendor } from './vendor.ts';

/** What one running sandbox is made of. */
export interface Parts {
  readonly vendors: ReadonlyMap<string, Vendor>;
  readonly calls: CallLog;
  readonly faults: FaultBook;
  readonly acceptsKey: AcceptsKey | undefined;
  readonly log: (line: string) => void;
  readonly now: () => number;
}
