/** Reports a fault of our own. The caller only sees a failed run or a refusal. */
export type ReportFault = (cause: unknown, what: string) => void;
