import { WARNING_ADVICE } from '@trawl/contract/advice';
import { WARNINGS, type WarningCode } from '@trawl/contract/catalogue';

const isKnown = (code: string): code is WarningCode => Object.hasOwn(WARNINGS, code);

/** What a warning means, and what to do. Undefined for a code that this console does not know. */
export const meaningOfWarning = (code: string): string | undefined =>
  isKnown(code) ? `${WARNINGS[code]} ${WARNING_ADVICE[code]}` : undefined;
