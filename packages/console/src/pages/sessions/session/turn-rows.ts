import type { ConsoleTurn } from '@trawl/contract/console';

/** Nothing happened for so long that the list shows a break. */
export const IDLE_MS = 5 * 60_000;

/** A turn, or the idle time before one. */
export type TurnRow =
  | { readonly kind: 'turn'; readonly key: string; readonly turn: ConsoleTurn }
  | { readonly kind: 'idle'; readonly key: string; readonly ms: number };

/** Turns in order, with the breaks between them. */
export function turnRows(turns: readonly ConsoleTurn[]): readonly TurnRow[] {
  const rows: TurnRow[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const turn of turns) {
    const idle = Date.parse(turn.created_at) - end;
    if (idle >= IDLE_MS) rows.push({ kind: 'idle', key: `idle ${turn.id}`, ms: idle });
    rows.push({ kind: 'turn', key: turn.id, turn });
    // a turn may begin while an earlier one is not yet done
    const done = Date.parse(turn.completed_at);
    end = end === Number.POSITIVE_INFINITY ? done : Math.max(end, done);
  }
  return rows;
}
