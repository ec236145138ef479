/** What a style says of an element, by property; the last one counts. */
export type Declarations = ReadonlyMap<string, string>;

const NONE: Declarations = new Map();
/** A longer style is read up to here. */
const STYLE_MAX = 20_000;

/** Reads a style as browsers do (CSS Syntax 3): comments end nothing, and escapes are letters. */
export function declarationsOf(style: string): Declarations {
  const plain = unescaped(style.slice(0, STYLE_MAX)).toLowerCase();
  if (!plain.includes(':')) return NONE;
  const found = new Map<string, string>();
  for (const part of plain.split(';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = part
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
    if (value !== '') found.set(part.slice(0, colon).trim(), value);
  }
  return found;
}

function unescaped(style: string): string {
  const bare = style.includes('/*') ? withoutComments(style) : style;
  if (!bare.includes('\\')) return bare;
  return bare.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, hex?: string, sign?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : 0;
    if (sign !== undefined) return sign;
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  });
}

export function withoutComments(css: string): string {
  let rest = '';
  let from = 0;
  for (let at = css.indexOf('/*'); at >= 0; at = css.indexOf('/*', from)) {
    rest += css.slice(from, at);
    const end = css.indexOf('*/', at + 2);
    if (end < 0) return rest;
    from = end + 2;
  }
  return rest + css.slice(from);
}

const LENGTH = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?)([a-z]{1,5}|%)?$/;
const IN_PIXELS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 1.33,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 10,
  vh: 10,
  vmin: 10,
  vmax: 10,
  '%': 10,
};

/** A length in pixels, about; undefined = none. A percentage counts as that of a large window. */
export function pixels(value: string | undefined): number | undefined {
  const found = LENGTH.exec(value?.trim() ?? '');
  if (!found) return undefined;
  const number = Number(found[1]);
  if (found[2] === undefined) return number;
  const factor = IN_PIXELS[found[2]];
  return factor === undefined ? undefined : number * factor;
}

/** A share: `0.5` or `50%`. */
export function share(value: string | undefined): number | undefined {
  const found = LENGTH.exec(value?.trim() ?? '');
  if (!found) return undefined;
  if (found[2] === '%') return Number(found[1]) / 100;
  return found[2] === undefined ? Number(found[1]) : undefined;
}

/** Red, green and blue from 0 to 255, and how much of it is seen, from 0 to 1. */
export type Color = readonly [number, number, number, number];

/** The names that hide most; others are compared as they are written. */
const NAMED: Readonly<Record<string, Color>> = {
  white: [255, 255, 255, 1],
  black: [0, 0, 0, 1],
  transparent: [0, 0, 0, 0],
  snow: [255, 250, 250, 1],
  ivory: [255, 255, 240, 1],
  ghostwhite: [248, 248, 255, 1],
  whitesmoke: [245, 245, 245, 1],
  floralwhite: [255, 250, 240, 1],
  mintcream: [245, 255, 250, 1],
  azure: [240, 255, 255, 1],
  red: [255, 0, 0, 1],
  green: [0, 128, 0, 1],
  blue: [0, 0, 255, 1],
  gray: [128, 128, 128, 1],
  grey: [128, 128, 128, 1],
  navy: [0, 0, 128, 1],
  yellow: [255, 255, 0, 1],
};

/** A color, as far as it is written out (CSS Color 4: names, #, rgb(), hsl() of grays). */
export function colorOf(value: string | undefined): Color | undefined {
  const text = value?.trim() ?? '';
  const named = Object.hasOwn(NAMED, text) ? NAMED[text] : undefined;
  if (named) return named;
  const hex = /^#?([\da-f]{3,8})$/.exec(text)?.[1];
  if (hex !== undefined) return hexColor(hex);
  const call = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(text);
  if (!call) return undefined;
  const parts = (call[2] ?? '').split(/[\s,/]/).filter((part) => part !== '');
  const alpha = share(parts[3]) ?? 1;
  if (call[1] === 'hsl') return hslColor(parts, alpha);
  const [red = 0, green = 0, blue = 0] = parts.map(channel);
  return [red, green, blue, alpha];
}

const channel = (part: string): number =>
  part.endsWith('%') ? (share(part) ?? 0) * 255 : Number(part) || 0;

function hexColor(hex: string): Color | undefined {
  const isShort = hex.length === 3 || hex.length === 4;
  if (!isShort && hex.length !== 6 && hex.length !== 8) return undefined;
  const size = isShort ? 1 : 2;
  const at = (index: number): number => {
    const digits = hex.slice(index * size, (index + 1) * size);
    return digits === '' ? 255 : Number.parseInt(isShort ? digits + digits : digits, 16);
  };
  return [at(0), at(1), at(2), at(3) / 255];
}

/** Only where the lightness alone says it: black, white and grays. */
function hslColor(parts: readonly string[], alpha: number): Color | undefined {
  const [, saturation, lightness] = parts.map((part) => share(part));
  if (lightness === undefined) return undefined;
  if (alpha > 0 && saturation !== 0 && lightness > 0.02 && lightness < 0.98) return undefined;
  const gray = Math.round(lightness * 255);
  return [gray, gray, gray, alpha];
}

/** Less than this apart, summed over red, green and blue, the one is not readable on the other. */
const APART_MIN = 30;

export const areAlike = (one: Color, other: Color): boolean =>
  Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <
  APART_MIN;
