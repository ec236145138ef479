/** The colours of all pages. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Read by app/theme-start.js too, before the first page is drawn. */
const KEPT = 'trawl.theme';

const listeners = new Set<() => void>();

export const chosenTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(KEPT)) ?? 'system';

/** For this browser, from now on. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(KEPT);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(KEPT, theme);
    document.documentElement.dataset.theme = theme;
  }
  for (const listener of listeners) listener();
}

/** Calls the listener when colours change, by choice or system, until the result is called. */
export function onThemeChange(listener: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}
