/**
 * Vitest reporter: writes the counts of each test file, how long it took by the clock and by the
 * processor, and why tests were skipped, to the file named by TRAWL_TEST_REPORT:
 * `{ files: [{ name, passed, failed, skips, seconds, processorSeconds }], errors }`; `errors`
 * belong to no file.
 */
import { writeFileSync } from 'node:fs';

export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map(countsOf);
    writeFileSync(
      process.env.TRAWL_TEST_REPORT,
      JSON.stringify({ files, errors: unhandledErrors.length }),
    );
  }
}

function countsOf(module) {
  const counts = { name: module.relativeModuleId, passed: 0, failed: 0, skips: [] };
  counts.seconds = secondsOf(module);
  counts.processorSeconds = module.meta().processorSeconds;
  if (module.errors().length > 0) counts.failed += 1;
  for (const suite of module.children.allSuites()) {
    if (suite.errors().length > 0) counts.failed += 1;
  }
  for (const test of module.children.allTests()) count(test, counts);
  // a process that died leaves a file without an end
  if (module.state() !== 'passed' && module.state() !== 'skipped' && counts.failed === 0) {
    counts.failed = 1;
  }
  return counts;
}

/** From the load of its modules to the end of its last hook. */
function secondsOf(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

function count(test, counts) {
  const { state, note } = test.result();
  if (state === 'passed') counts.passed += 1;
  else if (state !== 'skipped' || isBelowFailedHook(test)) counts.failed += 1;
  else {
    const reason = note ?? reasonOf(test);
    const title = test.fullName.replace(` (skipped: ${reason})`, '');
    counts.skips.push({ name: `${counts.name} > ${title}`, reason });
  }
}

/** A suite that is skipped as a whole does not have a note; its title may say `(skipped: why)`. */
function reasonOf(test) {
  if (test.options.mode === 'todo') return 'to do';
  return /\(skipped: (.+?)\)( >|$)/.exec(test.fullName)?.[1] ?? 'no reason given';
}

/**
 * Vitest reports tests after a failed `beforeAll` as skipped, though they were not skipped on
 * purpose.
 */
function isBelowFailedHook(test) {
  let parent = test.parent;
  while (parent.type === 'suite' && parent.errors().length === 0) parent = parent.parent;
  return parent.errors().length > 0;
}
