import type { ReportFault } from '@trawl/base';

/** Closes a part. If that fails, it is reported, and the stop has not failed. */
export const reportedClose =
  (part: { close(): Promise<void> }, reportFault: ReportFault) => async (): Promise<void> => {
    try {
      await part.close();
    } catch (error) {
      reportFault(error, 'a part of the server did not close');
    }
  };
