import type { Topic } from '@trawl/contract';

/** Topics on which no provider stands out: their queries run on the set that would run without auto-routing. */
export const UNROUTED_TOPICS: ReadonlySet<Topic> = new Set<Topic>(['general', 'finance_markets']);
