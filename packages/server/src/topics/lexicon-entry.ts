import type { Topic } from '@trawl/contract';

/** Comma-separated terms by weight: 3 nearly names the topic, 2 speaks for it, 1 is a hint. */
export type WeightedTerms = Readonly<Partial<Record<1 | 2 | 3, string>>>;

/** The telling words of one language. No term stands in two topics, here or in another language. */
export interface LanguageLexicon {
  readonly language: string;
  /**
   * `words`: a term is one or more whole words in sequence; a word that ends in `*` stands for all
   * words that begin so, since many of these languages inflect.
   * `anywhere`: a term counts wherever it stands, since words are written without spaces between
   * them or with articles and particles attached.
   */
  readonly match: 'words' | 'anywhere';
  readonly terms: Readonly<Record<Topic, WeightedTerms>>;
}
