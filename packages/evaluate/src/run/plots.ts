import { type Html, html } from './html.ts';

/** A line of a plot: a value with its range on a scale. */
export interface Strip {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The same in words, next to it and for those who cannot see it. */
  readonly text: string;
  /** Distinguished from what it is compared with. */
  readonly isClear?: boolean;
}

export interface PlotScale {
  readonly from: number;
  readonly to: number;
  readonly unit: string;
}

/**
 * Values with their ranges, one below the other. Names and values are text of the page, so that
 * they stay readable on a narrow one; only the strip between them is drawn.
 */
export function stripPlot(title: string, scale: PlotScale, strips: readonly Strip[]): Html {
  const { from, to, unit } = scale;
  return html`<figure>
<figcaption>${title}</figcaption>
<ul class="strips">${strips.map((strip) => stripHtml(strip, scale))}</ul>
<p class="scale"><span>${shortNumber(from)}${unit}</span><span>${shortNumber(to)}${unit}</span></p>
</figure>
`;
}

const HEIGHT = 20;
const MIDDLE = HEIGHT / 2;

function stripHtml({ name, text, value, low, high, isClear }: Strip, scale: PlotScale): Html {
  const at = (number: number) => round(((number - scale.from) / (scale.to - scale.from)) * 100);
  const zero = scale.from < 0 ? html`<path class="zero" d="M${at(0)} 0V${HEIGHT}"/>` : html``;
  return html`<li class="${isClear ? 'clear' : 'plain'}"><span class="name">${name}</span>
<svg role="img" aria-label="${name}: ${text}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none"><path class="track" d="M0 ${MIDDLE}H100"/>${zero}<path class="range" d="M${at(low)} ${MIDDLE}H${at(high)}"/><path class="dot" d="M${at(value)} ${MIDDLE}h.01"/></svg>
<span class="value">${text}</span></li>
`;
}

export interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

export interface Axis {
  readonly name: string;
  readonly to: number;
}

const WIDE = 320;
const HIGH = 200;
/** Room for the axes and for names right of the last point. */
const EDGE = { left: 34, right: 70, top: 12, bottom: 34 };
const LINE = 12;

/** Two figures of each provider against each other. */
export function scatterPlot(title: string, x: Axis, y: Axis, points: readonly Point[]): Html {
  const placed = points.map((point) => ({
    name: point.name,
    left: round(EDGE.left + (point.x / (x.to || 1)) * (WIDE - EDGE.left - EDGE.right)),
    top: round(HIGH - EDGE.bottom - (point.y / (y.to || 1)) * (HIGH - EDGE.top - EDGE.bottom)),
  }));
  const said = points.map(
    (point) =>
      `${point.name}: ${y.name} ${shortNumber(point.y)}, ${x.name} ${shortNumber(point.x)}`,
  );
  const [bottom, right] = [HIGH - EDGE.bottom, WIDE - EDGE.right];
  return html`<figure>
<figcaption>${title}</figcaption>
<svg class="scatter" role="img" aria-label="${said.join('; ')}" viewBox="0 0 ${WIDE} ${HIGH}">
<path class="axis" d="M${EDGE.left} ${EDGE.top}V${bottom}H${right}"/>
<text x="${EDGE.left - 4}" y="${EDGE.top + 4}" class="end">${shortNumber(y.to)}</text>
<text x="${EDGE.left - 4}" y="${bottom}" class="end">0</text>
<text x="${right}" y="${bottom + 14}" class="middle">${shortNumber(x.to)}</text>
<text x="${EDGE.left}" y="${bottom + 28}">${x.name}</text>
${spread(placed).map(
  ({ name, left, top, label }) =>
    html`<path class="dot" d="M${left} ${top}h.01"/><text x="${left + 9}" y="${label}">${name}</text>`,
)}
</svg>
</figure>
`;
}

interface Placed {
  readonly name: string;
  readonly left: number;
  readonly top: number;
}

/** Names that would cover each other move down. */
function spread(points: readonly Placed[]) {
  let free = 0;
  return points
    .toSorted((a, b) => a.top - b.top)
    .map((point) => {
      const label = Math.max(point.top + 4, free);
      free = label + LINE;
      return { ...point, label };
    });
}

const round = (value: number): number => Math.round(value * 100) / 100;

export const shortNumber = (value: number): string =>
  String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
