/**
 * Vitest reporter: writes counts, why tests were skipped, and which passed on a second try only, to the file named by
 * TRAWL_TEST_REPORT.
 */
import { writeFileSync } from 'node:fs';

export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skips: [], flaky: [] };
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1;
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) counts.failed += 1;
      }
      for (const test of module.children.allTests()) count(test, module, counts);
    }
    writeFileSync(process.env.TRAWL_TEST_REPORT, JSON.stringify(counts));
  }
}

function count(test, module, counts) {
  const { state, note } = test.result();
  if (state === 'passed') {
    counts.passed += 1;
    if (test.diagnostic()?.flaky)
      counts.flaky.push(`${module.relativeModuleId} > ${test.fullName}`);
  } else if (state !== 'skipped' || isBelowFailedHook(test)) counts.failed += 1;
  else {
    const reason = note ?? reasonOf(test);
    const title = test.fullName.replace(` (skipped: ${reason})`, '');
    counts.skips.push({ name: `${module.relativeModuleId} > ${title}`, reason });
  }
}

/** A suite that is skipped as a whole has no note; its title may say `(skipped: why)`. */
function reasonOf(test) {
  if (test.options.mode === 'todo') return 'to do';
  return /\(skipped: (.+?)\)( >|$)/.exec(test.fullName)?.[1] ?? 'no reason given';
}

/** Vitest calls the tests below a failed `beforeAll` skipped; nobody chose to skip them. */
function isBelowFailedHook(test) {
  let parent = test.parent;
  while (parent.type === 'suite' && parent.errors().length === 0) parent = parent.parent;
  return parent.errors().length > 0;
}
