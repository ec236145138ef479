/** One server-sent event. */
export interface ServerSentEvent {
  /** `message` when the stream does not name it. */
  readonly event: string;
  readonly data: string;
}

/**
 * Creates a parser of `text/event-stream`. It takes the text in pieces of any size and returns the
 * events that each piece completes. A line is joined once, at its end, so the time for a large
 * event grows with its length only.
 */
export function createEventParser(): (piece: string) => ServerSentEvent[] {
  let lineParts: string[] = [];
  let dataLines: string[] = [];
  let name = '';
  let isFirst = true;
  let endedWithReturn = false;

  const takeLine = (line: string): ServerSentEvent | undefined => {
    if (line === '') {
      const event = { event: name || 'message', data: dataLines.join('\n') };
      const hasData = dataLines.length > 0;
      dataLines = [];
      name = '';
      return hasData ? event : undefined;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') dataLines.push(value);
    else if (field === 'event') name = value;
    return undefined;
  };

  return (piece) => {
    if (piece === '') return [];
    const events: ServerSentEvent[] = [];
    let start = isFirst && piece.startsWith('\uFEFF') ? 1 : 0;
    isFirst = false;
    // the line feed of a CRLF that was split between two pieces
    if (endedWithReturn && piece[start] === '\n') start += 1;
    endedWithReturn = piece.endsWith('\r');
    for (const { index, 0: ending } of piece.matchAll(/\r\n|\r|\n/g)) {
      if (index < start) continue;
      lineParts.push(piece.slice(start, index));
      start = index + ending.length;
      const event = takeLine(lineParts.join(''));
      lineParts = [];
      if (event) events.push(event);
    }
    if (start < piece.length) lineParts.push(piece.slice(start));
    return events;
  };
}
