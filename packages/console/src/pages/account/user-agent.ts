/**
 * Of names that occur together, the first one counts: Edge also says Chrome, and Chrome also says
 * Safari.
 */
const BROWSERS: readonly (readonly [string, string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const SYSTEMS: readonly (readonly [string, string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
];

/** `Firefox on Linux`; the beginning of the text for what is not known. */
export function browserText(userAgent: string): string {
  const named = (list: typeof BROWSERS) => list.find(([sign]) => userAgent.includes(sign))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (userAgent.length > 40 ? `${userAgent.slice(0, 40)}…` : userAgent);
}
