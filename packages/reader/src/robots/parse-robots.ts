/** The rules of a robots.txt for one crawler. https://www.rfc-editor.org/rfc/rfc9309 */
export interface RobotsRules {
  readonly rules: readonly RobotsRule[];
}

interface RobotsRule {
  readonly allows: boolean;
  /** Literal parts with anything between them; the path starts with the first one. */
  readonly parts: readonly string[];
  /** Whether the path ends with the last part. */
  readonly isAnchored: boolean;
  /** Length of the pattern in octets: the longest match decides. */
  readonly length: number;
}

/**
 * The rules of the groups that name `productToken`; if no group does, those of the groups for all
 * crawlers.
 */
export function parseRobots(text: string, productToken: string): RobotsRules {
  const own = productToken.toLowerCase();
  const named: RobotsRule[] = [];
  const general: RobotsRule[] = [];
  let isNamed = false;
  /** Which crawlers the current lines apply to. */
  let group = { isOurs: false, isForAll: false };
  let hasRules = true;
  for (const [key, value] of linesOf(text)) {
    if (key === 'user-agent') {
      // consecutive agents share the rules that follow; other lines do not separate them
      if (hasRules) group = { isOurs: false, isForAll: false };
      hasRules = false;
      const agent = agentOf(value);
      group.isOurs ||= agent === own;
      group.isForAll ||= agent === '*';
      isNamed ||= group.isOurs;
    } else if (key === 'allow' || key === 'disallow') {
      hasRules = true;
      if (value === '') continue;
      if (group.isOurs) named.push(ruleOf(value, key === 'allow'));
      else if (group.isForAll) general.push(ruleOf(value, key === 'allow'));
    }
  }
  return { rules: isNamed ? named : general };
}

/**
 * Whether a page may be fetched. The longest matching rule decides; of two equally long ones, the
 * allowing one.
 */
export function isAllowedByRobots({ rules }: RobotsRules, url: URL): boolean {
  if (url.pathname === '/robots.txt') return true;
  const path = comparablePath(url.pathname + url.search);
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    const isBetter = best === undefined || rule.length > best.length;
    const wins = isBetter || (rule.length === best?.length && rule.allows);
    if (wins && matches(rule, path)) best = rule;
  }
  return best?.allows ?? true;
}

function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    if (colon < 0) continue;
    yield [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
  }
}

/**
 * `trawl/1.0` is read as `trawl`: files often name a version, although tokens don't have versions.
 */
function agentOf(value: string): string {
  if (value.startsWith('*')) return '*';
  return (/^[a-z_-]+/i.exec(value)?.[0] ?? '').toLowerCase();
}

function ruleOf(pattern: string, allows: boolean): RobotsRule {
  const isAnchored = pattern.endsWith('$');
  const body = isAnchored ? pattern.slice(0, -1) : pattern;
  const parts = body.split('*').map(comparablePath);
  const length = parts.join('*').length + (isAnchored ? 1 : 0);
  return { allows, parts, isAnchored, length };
}

/**
 * Each part is searched for after the previous one. The first match leaves the most room for the
 * others.
 */
function matches({ parts, isAnchored }: RobotsRule, path: string): boolean {
  const [first = '', ...others] = parts;
  if (!path.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return isAnchored
    ? path.length - last.length >= at && path.endsWith(last)
    : path.indexOf(last, at) >= 0;
}

const UNRESERVED = /^[A-Za-z0-9._~-]$/;
const utf8 = new TextEncoder();

/**
 * Normalizes a path: escapes of plain characters are decoded, other escapes are upper case, the
 * rest is escaped.
 */
function comparablePath(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})/gi, (written, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return UNRESERVED.test(character) ? character : written.toUpperCase();
    })
    .replace(/[^\x21-\x7e]+|[*$"<>^`{|}]/gu, (characters) =>
      [...utf8.encode(characters)]
        .map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}
