/** The material fictional pages are made of. `{topic}`, `{word}` and the like are filled in per page. */

export interface Site {
  readonly host: string;
  readonly name: string;
  readonly kind: 'article' | 'reference' | 'news' | 'forum' | 'video' | 'shop';
  readonly folder: string;
}

const site = (host: string, name: string, kind: Site['kind'], folder: string): Site => ({
  host,
  name,
  kind,
  folder,
});

/** Reserved domains only: nothing here can be somebody's site. */
export const SITES: readonly [Site, ...Site[]] = [
  site('atlas.example.org', 'Open Atlas', 'reference', 'wiki'),
  site('fieldnotes.example.com', 'Field Notes', 'article', 'posts'),
  site('learn.example.org', 'Learn Commons', 'reference', 'guides'),
  site('harbourpost.example.net', 'Harbour Post', 'news', '2026/stories'),
  site('workbench.example.com', 'The Workbench', 'article', 'blog'),
  site('ask.example.net', 'Ask the Room', 'forum', 'questions'),
  site('journal.example.org', 'Journal of Practice', 'article', 'papers'),
  site('northstar.example.com', 'North Star Labs', 'article', 'research'),
  site('dailyledger.example.net', 'Daily Ledger', 'news', 'articles'),
  site('handbook.example.org', 'The Handbook', 'reference', 'chapters'),
  site('tube.example.com', 'Example Tube', 'video', 'watch'),
  site('compare.example.net', 'Compare Everything', 'shop', 'reviews'),
  site('quarterly.example.org', 'Quarterly Review', 'article', 'issues/14'),
  site('kitchen-table.example.com', 'Kitchen Table', 'article', 'essays'),
  site('cityarchive.example.org', 'City Archive', 'reference', 'records'),
  site('signal.example.net', 'Signal & Noise', 'article', 'notes'),
  site('morning.example.com', 'Morning Wire', 'news', 'briefing'),
  site('makers.example.org', 'Makers Forum', 'forum', 'threads'),
  site('toolshed.example.net', 'Tool Shed', 'shop', 'catalogue'),
  site('longread.example.com', 'Long Read', 'article', 'features'),
  site('primer.example.org', 'Primer', 'reference', 'basics'),
  site('observer.example.net', 'Valley Observer', 'news', 'reports'),
  site('casebook.example.com', 'Casebook', 'article', 'cases'),
];

export const TITLES: readonly [string, ...string[]] = [
  '{Topic}: a practical guide',
  'What {topic} looks like in practice',
  '{Topic} explained in plain words',
  'Five lessons from a year of {topic}',
  'A short history of {topic}',
  '{Topic} – questions and answers',
  'How small teams approach {topic}',
  'The state of {topic} in {year}',
  'Comparing three approaches to {topic}',
  '{Topic}, step by step',
  'Why {topic} is harder than it looks',
  'Field report: {topic} in {place}',
  'A checklist for {topic}',
];

export const HEADINGS: readonly [string, ...string[]] = [
  'Background',
  'How it works',
  'What we measured',
  'Costs and trade-offs',
  'Common mistakes',
  'A worked example',
  'Further reading',
];

export const SENTENCES: readonly [string, ...string[]] = [
  'Most introductions to {topic} start with theory, yet the first questions people ask are practical.',
  'In {place}, a group of {n} volunteers kept notes on {word} for {m} months.',
  'The numbers for {topic} changed little between {year} and the following spring.',
  '{Org} published its own account of {word} & related work, with raw data attached.',
  'A simple rule helps: decide what {word} is for before deciding how to do it.',
  'Of the {n} cases we looked at, {m} were settled without any change to {word}.',
  "It's worth separating the cost of {word} from the cost of learning about it.",
  'Early reports praised {topic}; later ones were more careful.',
  'The second edition of the handbook gives {word} a chapter of its own.',
  '"We expected {word} to be the hard part," said {person} of {org}.',
  'Nothing in {topic} requires special equipment, although good records help.',
  'When {word} fails, it usually fails quietly and is noticed days later.',
  'A comparison with {year} shows that {topic} became cheaper by about {m} percent.',
  'Readers from {place} wrote to say that local practice differs in two respects.',
  'The method has three stages: collect, compare and decide.',
  '{Person} suggests reviewing {word} every {m} weeks rather than once a year.',
  'Critics point out that the sample was small: {n} entries, all from {place}.',
  'For {topic}, the simplest option was also the one people kept using.',
  'Documentation for {word} is scattered, so we collected it in one table below.',
  'There is no single best answer, but there are several clearly worse ones.',
  'After {m} trials the difference was still visible & could be repeated.',
  "{Org} doesn't recommend mixing old and new forms of {word}.",
  'One open question is how {topic} will look once the {year} rules apply.',
  'The appendix lists every source on {word} that was consulted.',
];

export const PLACES: readonly [string, ...string[]] = [
  'Port Ellery',
  'Northmere',
  'Castle Vale',
  'Brightwater',
  'San Alderi',
  'Old Quay',
  'Lindholm Bay',
];

export const ORGANISATIONS: readonly [string, ...string[]] = [
  'the Ellery Institute',
  'North Star Labs',
  'the Practice Council',
  'Harbour Works',
  'the Open Atlas project',
];

export const PEOPLE: readonly [string, ...string[]] = [
  'Mara Lindqvist',
  'Tomas Okoye',
  'R. Vale',
  'Ines Duarte',
  'Jun Park-Hale',
  'Odile  Renner',
  'Samir Castellan',
  'Petra Novak',
];
