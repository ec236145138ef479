/** Where faults of our own go that a caller only sees as a failed run or a refusal. */
export type ReportFault = (cause: unknown, what: string) => void;
