import type { HealthField } from '@trawl/contract';
import { HEALTH_FIELDS } from '@trawl/contract';

/** What is counted of one answer of a provider, without any text. */
export interface HealthAnswer {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  readonly projectId: string;
  readonly interactionId: string;
  /** Whether other providers found rows for the query; null = none other answered. */
  readonly othersFound: boolean | null;
  /** Rows that were asked for. */
  readonly asked: number;
  /** Rows that came, of those that were asked for. */
  readonly rows: number;
  /** The fields that it declares and that were asked for: bits in the order of `HEALTH_FIELDS`. */
  readonly fields: number;
  /** Those of them that some row has. */
  readonly filled: number;
}

/** Sums of older answers. */
export interface OlderAnswers {
  readonly answers: number;
  /** Answers that could have rows, as others found some or none was asked; those without. */
  readonly compared: number;
  readonly empty: number;
  /** Answers with rows, and the sum of their shares of the rows that were asked for. */
  readonly counted: number;
  readonly shares: number;
  /** Answers with rows, by field: those that declare it, and those that have it. */
  readonly declared: readonly number[];
  readonly has: readonly number[];
}

/** One of the three things that are measured, in numbers. */
export interface HealthMeasure {
  readonly kind: 'empty' | 'rows' | 'field';
  /** Which field; null for the others. */
  readonly field: HealthField | null;
  /**
   * From 0 to 1: how much worse the newest answers are than the older ones. Where several projects
   * ask, it is the least of all ways to leave one of them out: one alone makes no provider ill.
   */
  readonly worse: number;
  /** The same, where one of several projects counts for half at most. */
  readonly capped: number;
  /** Of the newest answers. */
  readonly recent: number;
  /** Of the older ones. */
  readonly before: number;
  /** How many of the newest answers it is made of. */
  readonly answers: number;
}

/** The newest answers are this many. */
export const WINDOW = 60;
/** Days of the older ones. */
export const BASELINE_DAYS = 14;
/** Fewer older answers say nothing of a measure. */
const OLDER_LEAST = 20;
/** Of the newest answers, this share has to count for a measure. */
const COUNTED_LEAST = 1 / 2;
/** A field that fewer older answers have is rare, not gone. */
const USUAL = 0.6;

/**
 * From which `worse` on a measure is bad. Chosen by `npm run health`: see docs/provider-health.md.
 */
export const THRESHOLDS: Readonly<Record<HealthMeasure['kind'], number>> = {
  empty: 0.8,
  rows: 0.4,
  field: 0.6,
};

export const isBad = ({ kind, worse }: HealthMeasure): boolean => worse >= THRESHOLDS[kind];
/**
 * Far from bad, so that an illness does not end and begin again. The good answers of one project
 * alone do not end it either.
 */
export const isGood = ({ kind, capped }: HealthMeasure): boolean => capped < THRESHOLDS[kind] / 2;

const isEmpty = ({ rows }: HealthAnswer): boolean => rows === 0;

/** An empty answer says something unless the other providers found nothing either. */
const isComparable = ({ othersFound }: HealthAnswer): boolean => othersFound !== false;
const hasRows = ({ rows, asked }: HealthAnswer): boolean => rows > 0 && asked > 0;
const shareOf = ({ rows, asked }: HealthAnswer): number => Math.min(1, rows / asked);

export function sumUp(answers: Iterable<HealthAnswer>): OlderAnswers {
  const sums = { answers: 0, compared: 0, empty: 0, counted: 0, shares: 0 };
  const declared = HEALTH_FIELDS.map(() => 0);
  const has = HEALTH_FIELDS.map(() => 0);
  for (const answer of answers) {
    sums.answers += 1;
    if (isComparable(answer)) {
      sums.compared += 1;
      if (isEmpty(answer)) sums.empty += 1;
    }
    if (hasRows(answer)) {
      sums.counted += 1;
      sums.shares += shareOf(answer);
    }
    if (isEmpty(answer)) continue;
    for (const at of HEALTH_FIELDS.keys()) {
      const bit = 1 << at;
      if (answer.fields & bit) declared[at] = (declared[at] ?? 0) + 1;
      if (answer.filled & bit) has[at] = (has[at] ?? 0) + 1;
    }
  }
  return { ...sums, declared, has };
}

/** How much worse the newest answers are. */
export function measuresOf(
  newest: readonly HealthAnswer[],
  older: OlderAnswers,
): readonly HealthMeasure[] {
  const measures: HealthMeasure[] = [];
  const add = (
    what: Pick<HealthMeasure, 'kind' | 'field'>,
    before: number,
    counted: readonly HealthAnswer[],
    read: Read,
  ) => {
    if (counted.length < newest.length * COUNTED_LEAST) return;
    const recent = meanOf(counted, read);
    const capped = Math.min(before - recent, before - cappedMean(counted, read));
    const worse = Math.min(capped, before - meanWithoutOne(counted, read));
    measures.push({
      ...what,
      worse: Math.max(0, worse),
      capped: Math.max(0, capped),
      recent,
      before,
      answers: counted.length,
    });
  };
  if (older.compared >= OLDER_LEAST) {
    const found = 1 - older.empty / older.compared;
    const compared = newest.filter(isComparable);
    add({ kind: 'empty', field: null }, found, compared, (answer) => Number(!isEmpty(answer)));
  }
  if (older.counted >= OLDER_LEAST && older.shares > 0) {
    const before = older.shares / older.counted;
    // relative to the share of before: half of the rows is half, however many were usual
    add(
      { kind: 'rows', field: null },
      1,
      newest.filter(hasRows),
      (answer) => shareOf(answer) / before,
    );
  }
  const withRows = newest.filter((answer) => !isEmpty(answer));
  for (const [at, field] of HEALTH_FIELDS.entries()) {
    const declared = older.declared[at] ?? 0;
    const before = (older.has[at] ?? 0) / Math.max(1, declared);
    if (declared < OLDER_LEAST || before < USUAL) continue;
    const asked = withRows.filter(({ fields }) => fields & (1 << at));
    add({ kind: 'field', field }, before, asked, ({ filled }) =>
      Number((filled & (1 << at)) !== 0),
    );
  }
  return measures;
}

type Read = (answer: HealthAnswer) => number;

function meanOf(answers: readonly HealthAnswer[], read: Read): number {
  return answers.reduce((sum, answer) => sum + read(answer), 0) / answers.length;
}

const projectsOf = (answers: readonly HealthAnswer[]): ReadonlySet<string> =>
  new Set(answers.map(({ projectId }) => projectId));

/** The mean, where no project has more than half of the weight if several ask. */
function cappedMean(answers: readonly HealthAnswer[], read: Read): number {
  const shares = [...projectsOf(answers)].map((id) => {
    const own = answers.filter(({ projectId }) => projectId === id);
    const weight = Math.min(own.length, answers.length - own.length || own.length);
    return { weight, mean: meanOf(own, read) };
  });
  const all = shares.reduce((sum, { weight }) => sum + weight, 0);
  return shares.reduce((sum, { weight, mean }) => sum + weight * mean, 0) / all;
}

/** The best mean without one of several projects. */
function meanWithoutOne(answers: readonly HealthAnswer[], read: Read): number {
  const projects = projectsOf(answers);
  if (projects.size < 2) return meanOf(answers, read);
  const means = [...projects].map((id) =>
    meanOf(
      answers.filter(({ projectId }) => projectId !== id),
      read,
    ),
  );
  return Math.max(...means);
}
