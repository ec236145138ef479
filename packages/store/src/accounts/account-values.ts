import type { AccountTime, OpenDatabase } from '@trawl/database';

/** A time of a table of the sign-in library, as ISO 8601. */
export const isoOf = (time: AccountTime): string => new Date(time).toISOString();

/** The value to compare or store such a time with. */
export const timeValue = ({ isEmbedded }: OpenDatabase, iso: string): AccountTime =>
  isEmbedded ? iso : new Date(iso);
