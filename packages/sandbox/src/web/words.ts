import words from './words.json' with { type: 'json' };

/** The words of fictional pages. `{topic}`, `{word}` and other placeholders are filled in for each page. */
export const {
  sites: SITES,
  titles: TITLES,
  headings: HEADINGS,
  sentences: SENTENCES,
  places: PLACES,
  organisations: ORGANISATIONS,
  people: PEOPLE,
} = words;

/** Hosts are on reserved domains, so that none of them can exist. */
export interface Site {
  readonly host: string;
  readonly name: string;
  /** `article`, `reference`, `news`, `forum`, `video` or `shop`. */
  readonly kind: string;
  readonly folder: string;
}

/** One fictional page about a topic. The same topic and id give every vendor the same page. */
export interface Page {
  /** The seed of everything on the page. */
  readonly id: string;
  readonly topic: string;
  readonly site: Site;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  /** `YYYY-MM-DDTHH:MM:SS`, UTC. */
  readonly published: string;
}
