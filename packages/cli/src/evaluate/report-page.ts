import type { EvaluationReport } from '@trawl/routing-lab';

export const reportPage = (report: EvaluationReport): string => JSON.stringify(report);
