import { write } from 'node:fs';
import { Socket } from 'node:net';

/** Characters that wait for a slow reader: those of some thousand lines. Further lines are lost. */
const WAITING_MAX = 1_000_000;

/**
 * Where a log is written. No failure of it reaches those who log: a line that cannot be written is
 * lost, and counted. The caller never waits, and a reader that has stopped takes a bounded amount
 * of memory.
 */
export interface LogOutput {
  /** Whether people read it. */
  readonly isTTY: boolean;
  write(text: string): void;
  /** Lines that were lost since the start. */
  linesLost(): number;
}

type OnWritten = (error?: Error | null) => void;

/** Pipes and terminals are sockets; anything else is written as a file. */
export type LogStream = Socket | (NodeJS.WritableStream & { readonly fd: number });

/** @param onFirstLoss gets the reason, once */
export function createLogOutput(
  stream: LogStream & { readonly isTTY?: boolean },
  onFirstLoss: (reason: string) => void,
): LogOutput {
  let waiting = 0;
  let lost = 0;
  const lose = (reason: string): void => {
    lost += 1;
    if (lost === 1) onFirstLoss(reason);
  };
  const send =
    stream instanceof Socket
      ? (text: string, onWritten: OnWritten) => void stream.write(text, onWritten)
      : fileWriter(stream.fd);
  // each write gets its error too
  stream.on('error', () => {});
  return {
    isTTY: stream.isTTY === true,
    write: (text) => {
      if (waiting + text.length > WAITING_MAX) {
        lose('is read too slowly');
        return;
      }
      waiting += text.length;
      send(text, (error) => {
        waiting -= text.length;
        if (error) lose(`cannot be written: ${error.message}`);
      });
    },
    linesLost: () => lost,
  };
}

interface WaitingText {
  readonly bytes: Buffer;
  readonly onWritten: OnWritten;
}

/**
 * Writes to a file in the background, which a stream of standard output does not, and all that
 * waits at once. A full disk may cut a line; the next one begins on a line of its own.
 */
function fileWriter(fd: number): (text: string, onWritten: OnWritten) => void {
  let waiting: WaitingText[] = [];
  let isWriting = false;
  let isCut = false;
  const writeNext = (): void => {
    isWriting = waiting.length > 0;
    if (!isWriting) return;
    const texts = waiting;
    waiting = [];
    const start = isCut ? LINE_END : NOTHING;
    const bytes = Buffer.concat([start, ...texts.map((text) => text.bytes)]);
    writeAll(fd, bytes, 0, (error, written) => {
      let end = start.length;
      for (const { bytes, onWritten } of texts) {
        end += bytes.length;
        onWritten(end <= written ? null : error);
      }
      if (written > 0) isCut = bytes[written - 1] !== LINE_END[0];
      writeNext();
    });
  };
  return (text, onWritten) => {
    waiting.push({ bytes: Buffer.from(text), onWritten });
    if (!isWriting) writeNext();
  };
}

const LINE_END = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

function writeAll(
  fd: number,
  bytes: Buffer,
  from: number,
  onEnd: (error: Error | null, written: number) => void,
): void {
  write(fd, bytes, from, bytes.length - from, null, (error, count) => {
    const written = from + (error ? 0 : count);
    if (error || written === bytes.length) onEnd(error, written);
    else writeAll(fd, bytes, written, onEnd);
  });
}
