/** A mistake on the command line, found after it was parsed: the command ends with 2. */
export class UsageError extends Error {}
