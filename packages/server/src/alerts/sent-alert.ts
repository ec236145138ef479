import type { LoggedAlert } from '@trawl/store';

/** A logged alert in the form that the console's API and `trawl alerts list --json` have. */
export const sentAlert = ({ createdAt, ...alert }: LoggedAlert) => ({
  ...alert,
  created_at: createdAt,
});
