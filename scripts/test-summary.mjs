/** What `npm test` prints of its steps. Pure: takes results, gives lines. */

/**
 * @typedef {{ name: string, reason: string }} Skip
 * @typedef {{ name: string, passed: number, failed: number, skips: Skip[],
 *   files?: readonly TestFile[], seconds: number, output: string }} StepResult
 * @typedef {{ name: string, seconds: number, processorSeconds?: number }} TestFile
 */

/** Prefix of the reason of a test that needs files outside the repository. */
const OPTIONAL = /^optional: /;

/** As many test files are listed, where there are more. */
const LISTED_FILES = 10;

/** @param {StepResult} result */
export function verdictLine({ name, passed, failed, skips, seconds }) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const counts = passed + failed + skips.length;
  const detail = counts > 1 ? `   ${passed} passed, ${failed} failed, ${skips.length} skipped` : '';
  return `${name.padEnd(8)}${verdict.padEnd(8)}${seconds.toFixed(1).padStart(6)} s${detail}`;
}

/**
 * The test files that used most of the processors, to be listed below the verdict: a file that
 * waits delays no other. None of a run of few files.
 * @param {StepResult} result
 */
export function busiestLines({ files = [] }) {
  if (files.length <= LISTED_FILES) return [];
  const used = ({ processorSeconds = 0 }) => processorSeconds;
  const busiest = files.toSorted((a, b) => used(b) - used(a)).slice(0, LISTED_FILES);
  return busiest.map((file) => {
    const [processor, clock] = [used(file), file.seconds].map((value) => value.toFixed(1));
    return `${processor.padStart(12)} of ${clock.padStart(5)} s   ${file.name}`;
  });
}

/**
 * Everything after the verdicts; the last line is the counts line.
 * @param {readonly StepResult[]} results
 * @param {boolean} requireAll
 */
export function closingLines(results, requireAll) {
  const skips = results.flatMap((result) => result.skips);
  const passed = sum(results.map((result) => result.passed));
  const failed = sum(results.map((result) => result.failed));
  const required = requireAll ? skips.filter(({ reason }) => !OPTIONAL.test(reason)).length : 0;
  const lines = [
    ...results.filter((result) => result.failed > 0).flatMap(failureLines),
    ...skipLines(skips),
    ...(required > 0 ? ['', `TEST_REQUIRE=all: ${required} skipped, counted as failed`] : []),
    '',
    `${passed} passed, ${failed + required} failed, ${skips.length - required} skipped`,
  ];
  return { lines, ok: failed + required === 0 };
}

function failureLines({ name, output }) {
  return ['', `--- ${name} ---`, output.trimEnd() || '(no output)'];
}

/** Grouped by reason, so that a missing dependency is listed once. */
function skipLines(skips) {
  if (skips.length === 0) return [];
  const reasons = [...new Set(skips.map((skip) => skip.reason))].sort();
  return [
    '',
    'Skipped:',
    ...reasons.flatMap((reason) => {
      const names = skips.filter((skip) => skip.reason === reason).map((skip) => skip.name);
      return [`  ${reason} (${names.length})`, ...names.map((name) => `    ${name}`)];
    }),
  ];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
