/**
 * Proofs that a regular expression takes time in proportion to its text, for any text.
 *
 * The analyzer finds the worst text of an expression by automata, never by trying texts. Two steps
 * before that keep its work small, and neither hides a cost:
 * - An expression that is used for one search is split into its alternatives, since a search costs
 *   at most the sum of their costs. An alternative without unbounded repetition takes a bounded
 *   number of steps at each place, which is counted.
 * - Counters are shortened: their limits change the factor, not the growth.
 *
 * An expression that finds all matches (flag `g`, or used by `split`) is judged as one that
 * consumes the whole text, because a match that looked far ahead and failed is tried again at the
 * next place.
 */
import { RegExpParser } from '@eslint-community/regexpp';

// the pure build, which runs everywhere
process.env.RECHECK_BACKEND = 'pure';
const { checkSync } = await import('recheck');

const PARTS_MAX = 400;
const COUNTER_MAX = 2;
/** Steps at one place: the product of all bounded choices. */
const STEPS_MAX = 100_000;
/** Alternatives that are compared with each other, word by word. */
const WORDS_MAX = 300;
/** Far more than any of our expressions needs: a machine under load must not change the outcome. */
const TIMEOUT_MS = 60_000;

/** @returns {{ proof: string } | { problem: string }} */
export function prove({ source, flags, findsAll }) {
  const pattern = parsed(source, flags);
  if (isBounded(pattern)) {
    const steps = stepsOf(pattern, flags);
    return steps <= STEPS_MAX
      ? { proof: `bounded: at most ${steps} steps at each place` }
      : { problem: `${steps} steps at each place` };
  }
  const parts = findsAll ? [] : partsOf(pattern.alternatives);
  if (findsAll || parts.length > PARTS_MAX)
    return ask([`^(?:(?:${shortened(pattern)})|[^])*`], flags);
  return ask([...new Set(parts)], flags);
}

function ask(sources, flags) {
  for (const source of sources) {
    const { status, complexity, error } = checkSync(source, flags.replace('g', ''), {
      checker: 'automaton',
      timeout: TIMEOUT_MS,
    });
    if (status === 'safe') continue;
    const finding = status === 'vulnerable' ? complexity.summary : `not proven (${error?.kind})`;
    return { problem: `${finding}: ${source}` };
  }
  const whole = sources[0]?.startsWith('^(?:(?:') ? 'all matches' : 'search';
  return { proof: `analyzer: ${whole}${sources.length > 1 ? `, ${sources.length} parts` : ''}` };
}

function parsed(source, flags) {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
}

const childrenOf = (node) =>
  node.alternatives ?? node.elements ?? (node.element ? [node.element] : []);

const isBounded = (node) =>
  node.type === 'CharacterClass' ||
  (node.max !== Number.POSITIVE_INFINITY && childrenOf(node).every(isBounded));

/**
 * The most steps at one place of a bounded expression: the first part is tried once, and the rest
 * once for each way to match the first part.
 */
function stepsOf(pattern, flags) {
  return pathsOf(pattern, undefined, flags).steps;
}

/**
 * `ways` to match a node at one place, and `steps` to try them all. `next` is what follows the
 * node.
 */
function pathsOf(node, next, flags) {
  if (node.type === 'Quantifier') return repeated(node, next, flags);
  if (node.alternatives) return oneOf(node, next, flags);
  if (node.type !== 'Alternative') return { ways: 1, steps: 1 };
  return node.elements.reduce(
    ({ ways, steps }, element, at) => {
      const own = pathsOf(element, node.elements[at + 1] ?? next, flags);
      return { ways: ways * own.ways, steps: steps + ways * own.steps };
    },
    { ways: 1, steps: 0 },
  );
}

function oneOf(node, next, flags) {
  const words = node.alternatives.flatMap((alternative) => wordsOf(alternative) ?? [undefined]);
  const below = node.alternatives.map((alternative) => pathsOf(alternative, next, flags));
  const steps = below.reduce((sum, paths) => sum + paths.steps, 0);
  if (words.length <= WORDS_MAX && !words.includes(undefined))
    return { ways: longestChain(words), steps };
  return { ways: below.reduce((sum, { ways }) => sum + ways, 0), steps };
}

function repeated({ element, min, max }, next, flags) {
  const each = pathsOf(element, undefined, flags);
  if (each.ways === 1 && !canGoOn(element, next, flags))
    return { ways: 1, steps: max * each.steps + 1 };
  let [ways, steps, power] = [0, 1, 1];
  for (let count = 0; count <= max; count += 1, power *= each.ways) {
    if (count >= min) ways += power;
    steps += power * each.steps;
  }
  return { ways, steps };
}

/** Whether the character after a run may belong to the run, so more than one end must be tried. */
function canGoOn(element, next, flags) {
  if (!['Character', 'CharacterClass', 'CharacterSet'].includes(element.type)) {
    const last =
      element.alternatives?.length === 1 ? element.alternatives[0].elements.at(-1) : undefined;
    // words that each end with a separator
    return last?.type !== 'Character';
  }
  const isOfRun = new RegExp(`^(?:${element.raw})$`, flags.replace(/[gy]/g, ''));
  if (next?.type === 'Character') return isOfRun.test(String.fromCodePoint(next.value));
  if (next?.type === 'Assertion' && next.kind === 'word')
    return element.raw !== '\\w' && element.raw !== '\\d';
  return next !== undefined;
}

/** The texts that a node matches, where it is made of plain characters. */
function wordsOf(node) {
  if (node.type === 'Character') return [node.raw];
  if (node.type === 'Assertion') return node.kind === 'word' ? [''] : undefined;
  if (node.type === 'Quantifier') {
    if (node.min !== 0 || node.max !== 1) return undefined;
    const once = wordsOf(node.element);
    return once && ['', ...once];
  }
  if (node.type === 'Alternative') {
    return node.elements.reduce(
      (before, element) => {
        const words = wordsOf(element);
        return words && before && before.length * words.length <= WORDS_MAX
          ? before.flatMap((start) => words.map((word) => start + word))
          : undefined;
      },
      [''],
    );
  }
  const below = node.alternatives?.map(wordsOf);
  return below?.every((words) => words) ? below.flat() : undefined;
}

/** How many of these words can match at one place of a text: each is a prefix of the next. */
const longestChain = (words) =>
  Math.max(...words.map((word) => words.filter((other) => word.startsWith(other)).length));

/** The alternatives with unbounded repetition, with groups of alternatives expanded. */
function partsOf(alternatives) {
  return alternatives.filter((alternative) => !isBounded(alternative)).flatMap(spread);
}

function spread({ elements }) {
  let parts = [{ text: '', isBounded: true }];
  for (const element of elements) {
    const choices = choicesOf(element);
    if (parts.length * choices.length > PARTS_MAX) return [elements.map(shortened).join('')];
    parts = parts.flatMap((part) =>
      choices.map((choice) => ({
        text: part.text + choice.text,
        isBounded: part.isBounded && choice.isBounded,
      })),
    );
  }
  return parts.filter((part) => !part.isBounded).map(({ text }) => text);
}

function choicesOf(element) {
  const isGroup = element.type === 'Group' || element.type === 'CapturingGroup';
  if (!isGroup || hasNumber(element))
    return [{ text: shortened(element), isBounded: isBounded(element) }];
  return element.alternatives.map((alternative) => ({
    text: `(?:${alternative.elements.map(shortened).join('')})`,
    isBounded: isBounded(alternative),
  }));
}

/** Whether a backreference needs the group unchanged. */
const hasNumber = (element) => (element.references?.length ?? 0) > 0;

function shortened(node) {
  if (node.type === 'Quantifier') return shortened(node.element) + counterOf(node);
  if (!node.alternatives && node.type !== 'Alternative') return node.raw;
  if (node.type === 'Alternative') return node.elements.map(shortened).join('');
  const inside = node.alternatives.map(shortened).join('|');
  if (node.type === 'Pattern') return inside;
  return `${/^\((?:\?(?:<?[=!]|:|<[^>]+>))?/.exec(node.raw)[0]}${inside})`;
}

function counterOf({ min, max, greedy, raw, element }) {
  const given = raw.slice(element.raw.length);
  if (!given.startsWith('{')) return given;
  const from = Math.min(min, COUNTER_MAX);
  const to = max === Number.POSITIVE_INFINITY ? '' : from + Math.min(max - min, COUNTER_MAX);
  return `{${from},${to}}${greedy ? '' : '?'}`;
}

process.on('message', (expression) => {
  let result;
  try {
    result = prove(expression);
  } catch (error) {
    result = { problem: String(error) };
  }
  process.send(result);
});
