/** A table that is bundled as its text: `import table from './table.tsv?raw'`. */
declare module '*.tsv?raw' {
  const text: string;
  export default text;
}
