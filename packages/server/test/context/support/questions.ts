import type { ComposedPage } from './composed-web.ts';

/** A question whose answer one of its pages has. */
export interface Question {
  readonly query: string;
  /** Words that only the answer has. */
  readonly answer: string;
  readonly pages: Readonly<Record<string, ComposedPage>>;
  /** Names of pages, best first. */
  readonly found: Readonly<Record<'exa' | 'brave', readonly string[]>>;
}

/** Always the same numbers for a seed. */
export function dice(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761 + 97) % 4_294_967_296;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

const PLACES =
  'Aldern Brisk Corvane Dunmore Elsmere Fernhall Garrow Hexley Inverlo Jorvale Kelso Lunby'.split(
    ' ',
  );
const THINGS = [
  'tidal station',
  'stone bridge',
  'paper mill',
  'observatory',
  'ferry',
  'reservoir',
  'library',
  'railway',
  'lighthouse',
  'market hall',
];
const PEOPLE = ['Ada Renn', 'Tomas Vale', 'Ines Holt', 'Jun Okoye', 'Mara Lind', 'Piet Sand'];

/** What is asked, how a page says it, and what only the answer has. Words overlap in part. */
const KINDS: readonly ((
  thing: string,
  next: (below: number) => number,
) => readonly [string, string, string])[] = [
  (thing, next) => {
    const year = `${1_801 + next(200)}`;
    return [
      `When did the ${thing} open?`,
      `It was opened to the public in May ${year}, after long delays.`,
      `May ${year}`,
    ];
  },
  (thing, next) => {
    const cost = `${2 + next(90)}.${next(9)} million crowns`;
    return [
      `How much did the ${thing} cost to build?`,
      `The bill for its construction came to ${cost} in the end.`,
      cost,
    ];
  },
  (thing, next) => {
    const person = `${PEOPLE[next(6)]} ${PLACES[next(12)]}`;
    return [
      `Who designed the ${thing}?`,
      `Its design is the work of ${person}, who never saw it finished.`,
      person,
    ];
  },
  (thing, next) => {
    const size = `${110 + next(800)} metres`;
    return [`How long is the ${thing}?`, `From end to end it has a length of ${size}.`, size];
  },
  (thing, next) => {
    const count = `${12 + next(900)} thousand visitors`;
    return [
      `How many people visit the ${thing} each year?`,
      `A year brings ${count}, most of them in summer.`,
      count,
    ];
  },
  (thing, next) => {
    const code = `QX-${1_000 + next(9_000)}`;
    return [
      `Which pump model is used in the ${thing}?`,
      `Two pumps of model ${code} are in use since the last overhaul.`,
      code,
    ];
  },
];

const SUBJECTS = [
  'roof',
  'garden',
  'council',
  'weather',
  'staff',
  'road',
  'harbour',
  'school',
  'festival',
  'archive',
];
const VERBS = [
  'was repaired',
  'was discussed',
  'was painted',
  'drew letters',
  'was measured',
  'was moved',
  'was praised',
  'was closed for a week',
];

function paragraph(thing: string, next: (below: number) => number): string {
  const sentence = () => {
    const about = next(4) === 0 ? `of the ${thing}` : `near ${PLACES[next(12)]}`;
    return `The ${SUBJECTS[next(10)]} ${about} ${VERBS[next(8)]} ${2 + next(30)} times in ${1_900 + next(120)}, as ${PEOPLE[next(6)]} wrote.`;
  };
  return Array.from({ length: 3 + next(4) }, sentence).join(' ');
}

function body(thing: string, next: (below: number) => number, planted?: string): string {
  const count = 12 + next(50);
  const at = planted === undefined ? -1 : 2 + next(count - 3);
  const parts = Array.from({ length: count }, (_, index) => {
    const head = index % 5 === 0 ? `## ${SUBJECTS[next(10)]} and ${SUBJECTS[next(10)]}\n\n` : '';
    const text = paragraph(thing, next);
    return `${head}${index === at ? `${text} ${planted}` : text}`;
  });
  return `# The ${thing}\n\n${parts.join('\n\n')}`;
}

/** Ten pages, of which one has the answer, in two lists that agree in part. */
export function questionOf(seed: number): Question {
  const next = dice(seed);
  const thing = `${PLACES[next(12)]} ${THINGS[next(10)]}`;
  const kind = KINDS[next(KINDS.length)] ?? KINDS[0];
  if (!kind) throw new Error('there are kinds');
  const [query, sentence, answer] = kind(thing, next);
  const names = Array.from({ length: 10 }, (_, index) => `q${seed}-${index}`);
  // better places are more likely, as with real lists
  const place = Math.min(next(7), next(7));
  const pages = Object.fromEntries(
    names.map((name, index) => {
      const isAnswer = index === place;
      const text = body(thing, next, isAnswer ? sentence : undefined);
      // some vendors' snippets have the answer
      const isTold = isAnswer && next(4) === 0;
      const summary = isTold ? sentence : paragraph(thing, next).slice(0, 300);
      return [name, { title: `The ${thing}, part ${index + 1}`, body: text, summary }];
    }),
  );
  const swapped = [...names.slice(0, 7)].sort(() => next(3) - 1);
  return {
    query,
    answer,
    pages,
    found: { exa: names.slice(0, 7), brave: [...swapped.slice(0, 4), ...names.slice(7)] },
  };
}
