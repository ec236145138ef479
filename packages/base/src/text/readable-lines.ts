/** Colours a part of a line by how bad it is. */
export interface Paint {
  readonly dim: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
}

const PLAIN: Paint = { dim: String, warning: String, bad: String };

/** A log line as pino writes it. */
interface Entry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

interface Level {
  readonly least: number;
  readonly word: string;
  readonly tone: keyof Paint | null;
}

const LEVELS: readonly Level[] = [
  { least: 60, word: 'FATAL', tone: 'bad' },
  { least: 50, word: 'ERROR', tone: 'bad' },
  { least: 40, word: 'WARN', tone: 'warning' },
  { least: 30, word: 'INFO', tone: null },
  { least: 20, word: 'DEBUG', tone: 'dim' },
  { least: 0, word: 'TRACE', tone: 'dim' },
];

/**
 * Takes log lines in JSON and writes each as a line for people: time of day, level, message, and
 * the other members.
 */
export function readableLines(
  destination: { write(text: string): unknown },
  paint: Paint = PLAIN,
): { write(line: string): void } {
  return {
    write: (line) => {
      destination.write(readableLine(line, paint));
    },
  };
}

function readableLine(line: string, paint: Paint): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(line) as Entry;
  const { word, tone } = LEVELS.find(({ least }) => level >= least) ?? { word: '?', tone: null };
  const name = word.padEnd(5);
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${valueText(value)}`);
  const parts = [
    paint.dim(clockText(time)),
    tone === null ? name : paint[tone](name),
    oneLine(msg),
    ...(facts.length > 0 ? [paint.dim(facts.join(' '))] : []),
    ...(err === undefined ? [] : [oneLine(err.message ?? '')]),
  ];
  // internal errors need their place; for failures elsewhere the message is enough
  const stack = err?.stack !== undefined && level >= 50 ? stackText(err.stack, paint) : '';
  return `${parts.join('  ')}\n${stack}`;
}

const clockText = (time: string): string => {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
};

/** A text without blanks unchanged, anything else as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
    ? value
    : oneLine(String(JSON.stringify(value)));

/** Control characters could steer the terminal, or forge a line. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');

const stackText = (stack: string, paint: Paint): string =>
  stack
    .split('\n')
    .slice(1)
    .map((line) => `${paint.dim(oneLine(line))}\n`)
    .join('');
