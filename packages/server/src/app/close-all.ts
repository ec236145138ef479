import type { ReportFault } from '@trawl/base';

/** Closes all at once. A part that does not close is reported, and does not delay the others. */
export async function closeAll(
  parts: readonly { close(): Promise<void> }[],
  reportFault: ReportFault,
): Promise<void> {
  const ends = parts.map(async (part) => part.close());
  for (const end of await Promise.allSettled(ends)) {
    if (end.status === 'rejected') reportFault(end.reason, 'a part of the server did not close');
  }
}
