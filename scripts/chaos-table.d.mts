export interface Row {
  readonly row: string;
  readonly test: string;
  readonly expected: string;
  readonly old: string;
}
export interface Figure {
  readonly row: string;
  readonly name: string;
  readonly value: string;
  readonly unit: string;
}
export function readRows(tsv: string): readonly Row[];
export function readFigures(path: string): readonly Figure[];
export function figureText(figure: Omit<Figure, 'row'>): string;
export function tableLines(rows: readonly Row[], figures: readonly Figure[]): readonly string[];
