import { type Logger, pino } from 'pino';
import type { LogLevel } from '../settings.ts';

/**
 * Structured logs, one JSON object a line. Nothing that may hold a secret is ever handed to it: no headers, bodies,
 * queries or settings' values.
 */
export function createLog(
  level: LogLevel,
  destination: NodeJS.WritableStream = process.stdout,
): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
