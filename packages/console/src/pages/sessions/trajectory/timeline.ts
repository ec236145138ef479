import type { Tree, TreeNode } from './tree.ts';

/** When something happened, in milliseconds since 1970. */
export interface StepTime {
  readonly start: number;
  /** null: the record does not say when it ended. */
  readonly end: number | null;
}

const timeOf = (value: unknown): number | undefined => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/**
 * The spans of all nodes, by place. The record has the times of interactions, and how long their
 * runs took but not when they began: runs are drawn from the start of their interaction. Results
 * have no time.
 */
export function spansOf({ nodes }: Tree): readonly (StepTime | undefined)[] {
  const spans: (StepTime | undefined)[] = [];
  for (const node of nodes) spans.push(spanOf(node, spans));
  spans[0] = whole(spans.slice(1));
  return spans;
}

function spanOf(
  { type, data, parent }: TreeNode,
  spans: readonly (StepTime | undefined)[],
): StepTime | undefined {
  if (type === 'interaction') {
    const start = timeOf(data.created_at);
    return start === undefined ? undefined : { start, end: timeOf(data.completed_at) ?? null };
  }
  const above = spans[parent];
  if (!above || !('latency_ms' in data)) return undefined;
  const { latency_ms: latency } = data;
  return { start: above.start, end: typeof latency === 'number' ? above.start + latency : null };
}

function whole(spans: readonly (StepTime | undefined)[]): StepTime | undefined {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    if (!span) continue;
    start = Math.min(start, span.start);
    end = Math.max(end, span.end ?? span.start);
  }
  return start === Number.POSITIVE_INFINITY ? undefined : { start, end };
}

/** Idle time of this length and more is drawn short. */
const IDLE_MS = 5 * 60_000;
/** A shortened gap takes this share of the busy time. */
const GAP_SHARE = 0.02;

/** A stretch of time and where it is drawn: from 0 to 1 over the whole width. */
interface Segment {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  readonly isIdle: boolean;
}

export interface Scale {
  readonly segments: readonly Segment[];
  /** From 0 to 1. */
  readonly at: (time: number) => number;
}

/** Places the spans over the width, with long idle times drawn short. */
export function createScale(spans: readonly (StepTime | undefined)[]): Scale {
  const busy = busyTimes(spans);
  const total = busy.reduce((sum, { start, end }) => sum + end - start, 0) || 1;
  const gap = total * GAP_SHARE;
  const width = total + gap * Math.max(0, busy.length - 1);
  const segments: Segment[] = [];
  let from = 0;
  let previous: number | undefined;
  for (const { start, end } of busy) {
    if (previous !== undefined) {
      const to = from + gap / width;
      segments.push({ start: previous, end: start, from, to, isIdle: true });
      from = to;
    }
    const to = from + (end - start) / width;
    segments.push({ start, end, from, to, isIdle: false });
    from = to;
    previous = end;
  }
  return { segments, at: (time) => placeOf(segments, time) };
}

/** Times with something going on, joined where less than the idle time lies between them. */
function busyTimes(
  spans: readonly (StepTime | undefined)[],
): readonly { start: number; end: number }[] {
  const sorted = spans
    .flatMap((span) => (span ? [{ start: span.start, end: span.end ?? span.start }] : []))
    .sort((a, b) => a.start - b.start);
  const busy: { start: number; end: number }[] = [];
  for (const span of sorted) {
    const last = busy.at(-1);
    if (last && span.start - last.end < IDLE_MS) last.end = Math.max(last.end, span.end);
    else busy.push({ ...span });
  }
  return busy;
}

function placeOf(segments: readonly Segment[], time: number): number {
  const first = segments[0];
  if (!first || time <= first.start) return 0;
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.start ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  const segment = segments[low] ?? first;
  const length = segment.end - segment.start;
  const share = length === 0 ? 0 : Math.min(1, (time - segment.start) / length);
  return segment.from + share * (segment.to - segment.from);
}

/** The part of the width that is shown, from 0 to 1. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}
export const WHOLE: Zoom = { from: 0, to: 1 };
const ZOOM_MIN = 0.0001;

/**
 * @param factor below 1 shows less @param around stays where it is, from 0 to 1 of the whole width
 */
export function zoomed({ from, to }: Zoom, factor: number, around: number): Zoom {
  const width = Math.min(1, Math.max(ZOOM_MIN, (to - from) * factor));
  const share = (around - from) / (to - from);
  const start = Math.min(1 - width, Math.max(0, around - share * width));
  return { from: start, to: start + width };
}

/** Where a bar is drawn, in percent of the shown width; undefined outside of it. */
export interface Bar {
  readonly left: number;
  readonly width: number;
  /** The record has no end. */
  readonly isOpen: boolean;
}

export function barOf(span: StepTime, { at }: Scale, { from, to }: Zoom): Bar | undefined {
  const start = (at(span.start) - from) / (to - from);
  const end = (at(span.end ?? span.start) - from) / (to - from);
  if (end < 0 || start > 1) return undefined;
  const left = Math.max(0, start);
  return {
    left: left * 100,
    width: (Math.min(1, end) - left) * 100,
    isOpen: span.end === null,
  };
}

/** The zoom in which a span fills most of the width. */
export function fitted(span: StepTime, { at }: Scale): Zoom {
  const [start, end] = [at(span.start), at(span.end ?? span.start)];
  const width = Math.min(1, Math.max(ZOOM_MIN, (end - start) * 1.2));
  const from = Math.min(1 - width, Math.max(0, (start + end) / 2 - width / 2));
  return { from, to: from + width };
}
