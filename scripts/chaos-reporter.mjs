/**
 * Vitest reporter: prints the figures that each file of the chaos suite adds to the file named by
 * CHAOS_REPORT.
 */
import { figureText, readFigures } from './chaos-table.mjs';

export default class FiguresReporter {
  #printed = 0;

  onTestModuleEnd(module) {
    const figures = readFigures(process.env.CHAOS_REPORT);
    const added = figures.slice(this.#printed);
    this.#printed = figures.length;
    console.log(`\n${module.relativeModuleId}`);
    for (const figure of added) console.log(`  ${figure.row}: ${figureText(figure)}`);
  }
}
