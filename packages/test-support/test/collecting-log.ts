import { type Logger, pino } from 'pino';

/** A logger that keeps its lines for the test. */
export function collectingLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { log, lines };
}
