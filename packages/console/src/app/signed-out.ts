/** Whether the session ended while a page was shown. */
let isEnded = false;
const listeners = new Set<() => void>();

export const isSessionEnded = (): boolean => isEnded;

export function setSessionEnded(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const listener of listeners) listener();
}

export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Pages that show a stranger's calls: a refusal there is not the end of a session. */
const OPEN_PAGES = ['sign-in', 'setup', 'invitation'];

/** Called when a call of a person who was signed in is refused with 401. */
export function noteSignedOut(): void {
  const [, , page = ''] = window.location.pathname.split('/');
  if (!OPEN_PAGES.includes(page)) setSessionEnded(true);
}
