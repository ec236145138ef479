/** What of a keyboard event decides whether it is a shortcut. */
export interface Press {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly defaultPrevented: boolean;
}

/** Cmd, or Ctrl without Alt: AltGr sets both, and only types a character. */
export const isHot = (press: Press): boolean => press.metaKey || (press.ctrlKey && !press.altKey);

/**
 * The name of a press: `k`, `?`, `Escape`, `Shift+J`, `mod+k`. Undefined for one that is part of
 * typing or that something else has handled.
 */
export function pressName(press: Press): string | undefined {
  if (press.isComposing || press.defaultPrevented) return undefined;
  if (isHot(press)) return `mod+${press.key.length === 1 ? press.key.toLowerCase() : press.key}`;
  if (press.altKey || press.ctrlKey) return undefined;
  const isLetter = /^[a-z]$/i.test(press.key);
  return press.shiftKey && isLetter ? `Shift+${press.key.toUpperCase()}` : press.key;
}

/** Whether typing goes into this element, so that single keys are not shortcuts. */
export function isTyping(target: unknown): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
}
