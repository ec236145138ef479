export interface Section {
  readonly number: string;
  readonly title: string;
  readonly scope: 'search' | 'later';
}
export interface NamedTest {
  readonly path: string;
  readonly name: string;
  readonly sections: readonly string[];
}
export interface Counted {
  readonly counts: ReadonlyMap<string, number>;
  readonly unknown: readonly NamedTest[];
}
export function namedSections(name: string): string[];
export function testedSections(path: string, text: string): NamedTest[];
export function countTests(sections: readonly Section[], tests: readonly NamedTest[]): Counted;
export function report(
  sections: readonly Section[],
  counted: Counted,
): { readonly lines: string[]; readonly ok: boolean };
