import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Watch } from '@trawl/contract';
import { callApi } from '../../api/call.ts';
import type { Tone } from '../../parts/badge.tsx';

const REFRESH_MS = 15_000;
const NEWS_SHOWN = 100;

/** Every watch of a project: there are at most some hundred. */
export const watchesQuery = (project: string) =>
  queryOptions({
    queryKey: [project, 'watches'],
    queryFn: async ({ signal }) => {
      const watches: Watch[] = [];
      let after: string | undefined;
      do {
        const page = await callApi(project, 'GET /v1/watches', {
          query: { after, limit: 200 },
          signal,
        });
        watches.push(...page.watches);
        after = page.next_after;
      } while (after !== undefined);
      return watches;
    },
    refetchInterval: REFRESH_MS,
  });

/** The last news of a watch, the newest first. */
export const newsQuery = (project: string, { id, news_count: count }: Watch) =>
  queryOptions({
    queryKey: [project, 'watches', id, 'news', count],
    queryFn: async ({ signal }) => {
      const answer = await callApi(project, 'GET /v1/watches/{watch_id}/news', {
        params: { watch_id: id },
        query: { after: String(Math.max(0, count - NEWS_SHOWN)), limit: NEWS_SHOWN },
        signal,
      });
      return answer.news.toReversed();
    },
  });

/** Reads the watches of the project again. */
export function useRefresh(project: string): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [project, 'watches'] });
}

/** Its name, or else its first query or page. */
export function titleOf({ name, search, fetch }: Watch): string {
  if (name !== null) return name;
  const { user_input: input } = (search ?? {}) as { user_input?: unknown };
  const [first] = (Array.isArray(input) ? input : [input]) as { query?: string }[];
  const { urls } = (fetch ?? {}) as { urls?: readonly string[] };
  return first?.query ?? urls?.[0] ?? 'Watch';
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** `every 15 min`, `every 6 h`, `every day`. */
export function everyText(minutes: number): string {
  if (minutes % DAY === 0) return minutes === DAY ? 'every day' : `every ${minutes / DAY} days`;
  return minutes % HOUR === 0 ? `every ${minutes / HOUR} h` : `every ${minutes} min`;
}

/** What can be chosen for a new watch, in minutes. */
export const INTERVALS = ['15', '60', '360', '1440', '10080'] as const;

/** How the last run ended; null before the first. */
export function lastRun({ last_status: status }: Watch): { tone: Tone; label: string } | null {
  if (status === null) return null;
  const tone = status === 'succeeded' ? 'good' : status === 'partial' ? 'warn' : 'bad';
  return { tone, label: status };
}
