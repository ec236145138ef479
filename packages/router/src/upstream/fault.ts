const FRAMES_MAX = 12;

/**
 * An unexpected exception for the log: what and where. Not its message, which may quote an answer or a header
 * (JSON.parse and URL do).
 */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '' } = error;
  const afterMessage = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(message === '' ? 0 : afterMessage)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, FRAMES_MAX);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { name, ...code, frames };
}
