import { type Paint, readableLines } from '@trawl/base';
import { type Logger, pino } from 'pino';
import type { LogFormat, LogLevel } from '../config/settings.ts';

export interface LogOptions {
  /** undefined = readable lines on a terminal, JSON elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Colour of readable lines; none when absent. */
  readonly paint?: Paint | undefined;
  /** The number of this process where a server has several; each line names it. */
  readonly worker?: number | undefined;
}

/** The format that a log has on this stream. */
export const logFormat = (
  destination: { readonly isTTY?: boolean },
  format: LogFormat | undefined,
): LogFormat => format ?? (destination.isTTY === true ? 'pretty' : 'json');

/**
 * Structured logs: one JSON object a line, or a readable line for people. Nothing that may hold a
 * secret is ever handed to it: no headers, bodies, queries or settings' values.
 */
export function createLog(
  level: LogLevel,
  destination: { write(text: string): unknown; readonly isTTY?: boolean },
  { format, paint, worker }: LogOptions = {},
): Logger {
  const isPretty = logFormat(destination, format) === 'pretty';
  const stream = isPretty ? readableLines(destination, paint) : destination;
  const base = worker === undefined ? null : { worker };
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
