/** What `npm test` prints of its steps. Pure: takes results, gives lines. */

/**
 * @typedef {{ name: string, reason: string }} Skip
 * @typedef {{ name: string, passed: number, failed: number, skips: Skip[], flaky?: string[], seconds: number,
 *   output: string }} StepResult
 */

/** @param {StepResult} result */
export function verdictLine({ name, passed, failed, skips, seconds }) {
  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const counts = passed + failed + skips.length;
  const detail = counts > 1 ? `   ${passed} passed, ${failed} failed, ${skips.length} skipped` : '';
  return `${name.padEnd(8)}${verdict.padEnd(8)}${seconds.toFixed(1).padStart(6)} s${detail}`;
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
  const skipsFail = requireAll && skips.length > 0;
  const lines = [
    ...results.filter((result) => result.failed > 0).flatMap(failureLines),
    ...skipLines(skips),
    ...flakyLines(results.flatMap((result) => result.flaky ?? [])),
    ...(skipsFail ? ['', `TEST_REQUIRE=all: ${skips.length} skipped, counted as failed`] : []),
    '',
    skipsFail
      ? `${passed} passed, ${failed + skips.length} failed, 0 skipped`
      : `${passed} passed, ${failed} failed, ${skips.length} skipped`,
  ];
  return { lines, ok: failed === 0 && !skipsFail };
}

function failureLines({ name, output }) {
  return ['', `--- ${name} ---`, output.trimEnd() || '(no output)'];
}

/** Grouped by reason: what is missing is said once, however many tests need it. */
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

/** What fails now and then is a defect of the product or of the test: a second try keeps CI going, and is said. */
function flakyLines(names) {
  return names.length === 0
    ? []
    : ['', 'Passed on a second try only (mend them):', ...names.map((name) => `  ${name}`)];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
