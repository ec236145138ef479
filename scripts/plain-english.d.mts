/** The words that are always replaced, of the table in CONTRIBUTING. */
export function wordsOf(contributing: string): readonly string[];
/** A line `path:number: word` for each line of a text that has one of the words. */
export function findWords(text: string, path: string, words: readonly string[]): readonly string[];
/** The same of all files of the repository. */
export function wordsInUse(): readonly string[];
