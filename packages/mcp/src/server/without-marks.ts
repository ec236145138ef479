import { type Readable, Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const MARK = '\ufeff';

/**
 * The input without a byte order mark at the start of a line, as some programs of Windows write it:
 * with one, a line is no JSON. When the reader pauses for good, the input is let go.
 */
export function withoutMarks(input: Readable): Transform {
  const decoder = new StringDecoder('utf8');
  let before = '\n';
  const lines = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const text = before + decoder.write(piece);
      const kept = text.replaceAll(`\n${MARK}`, '\n').slice(1);
      before = text.at(-1) === MARK && text.at(-2) === '\n' ? '\n' : (text.at(-1) ?? '\n');
      done(null, kept);
    },
    flush(done) {
      done(null, decoder.end());
    },
  });
  lines.once('pause', () => input.unpipe(lines).pause());
  return input.pipe(lines);
}
