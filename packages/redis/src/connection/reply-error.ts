import { ErrorReply } from '@redis/client';

/**
 * First words of refusals that concern the whole server: it is read-only, full, still loading, or
 * takes no commands of this user.
 */
const UNFIT = [
  'READONLY',
  'LOADING',
  'MASTERDOWN',
  'NOREPLICAS',
  'CLUSTERDOWN',
  'MISCONF',
  'OOM',
  'NOAUTH',
  'WRONGPASS',
];

const firstWord = ({ message }: Error): string => message.slice(0, 40).split(' ', 1)[0] ?? '';

/** Whether Redis answered, but refused this one command: the connection and other commands work. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ErrorReply && !UNFIT.includes(firstWord(error));

/** Whether the server does not know a script that it is to run by its digest. */
export const isUnknownScript = (error: unknown): boolean =>
  error instanceof ErrorReply && firstWord(error) === 'NOSCRIPT';

/** For the log: a code or the first word of a refusal, never a text that may quote a command. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof ErrorReply) return firstWord(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
