import type { ConsoleSessionRow } from '@trawl/contract/console';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import type { ListQuery } from './session-filters.ts';

const EVERY_MS = 5_000;
/** Rows that are put above a list before it is read again. */
const ROWS_MAX = 150;

export interface Live {
  /** Held back until the person asks for them: a row must not move under the mouse. */
  readonly held: readonly ConsoleSessionRow[];
  /** Shown above the list. */
  readonly shown: readonly ConsoleSessionRow[];
  readonly show: () => void;
  readonly error: Error | null;
}

interface Rows {
  readonly held: readonly ConsoleSessionRow[];
  readonly shown: readonly ConsoleSessionRow[];
}
const NONE: Rows = { held: [], shown: [] };

/**
 * Asks for what is recorded since the list was read: the same query with a cursor, so the server
 * filters it.
 * @param newest of the list; undefined = the list is not there, or live updates are off
 */
export function useLive(project: string, query: ListQuery, newest: number | undefined): Live {
  const [rows, setRows] = useState<Rows>(NONE);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    setRows(NONE);
    setError(null);
    if (newest === undefined) return undefined;
    const stop = new AbortController();
    let cursor = newest;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      if (!document.hidden) {
        const answer = await call('GET /console/api/projects/{project_id}/sessions', {
          params: { project_id: project },
          query: { ...query, newer_than: cursor },
          signal: stop.signal,
        });
        cursor = answer.newest;
        if (answer.sessions.length > 0) {
          setRows(({ held, shown }) => ({ shown, held: joined(answer.sessions, held) }));
        }
      }
      setError(null);
    };
    const askAgain = () => {
      timer = setTimeout(() => {
        ask()
          .catch((failure: Error) => {
            if (!stop.signal.aborted) setError(failure);
          })
          .finally(() => {
            if (!stop.signal.aborted) askAgain();
          });
      }, EVERY_MS);
    };
    askAgain();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [project, query, newest]);
  const show = () =>
    setRows(({ held, shown }) => ({ held: [], shown: joined(held, shown).slice(0, ROWS_MAX) }));
  return { ...rows, show, error };
}

/** The first list, then what only the second one has. */
export function joined(
  first: readonly ConsoleSessionRow[],
  second: readonly ConsoleSessionRow[],
): readonly ConsoleSessionRow[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}
