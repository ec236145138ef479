import { it, type TestFunction } from 'vitest';

/**
 * `TEST_FORM=full`, which `.ci/nightly` sets, runs the tests that are long by nature in full size:
 * large data, and each page in both themes. Without it they run in a small form.
 */
const isFull = process.env.TEST_FORM === 'full';

/** The value of the form that runs. */
export const byForm = <Value>({
  small,
  full,
}: {
  readonly small: Value;
  readonly full: Value;
}): Value => (isFull ? full : small);

/** A test that takes long: in the full form only. */
export const fully: (name: string, test: TestFunction) => void = isFull ? it : () => {};

/**
 * The themes in which a page is looked at. Those of the parts that pages are made of are always
 * looked at in both.
 */
export const THEMES: readonly ('light' | 'dark')[] = byForm({
  small: ['light'],
  full: ['light', 'dark'],
});
