import { useSyncExternalStore } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { chooseTheme, chosenTheme, onThemeChange, THEMES, type Theme } from '../parts/theme.ts';
import styles from './rail.module.css';

export const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
};

/** Shows and changes the colours of the pages, for this browser. */
export function ThemeMenu() {
  const chosen = useSyncExternalStore(onThemeChange, chosenTheme);
  return (
    <Menu
      align="start"
      label="Theme"
      trigger={
        <button type="button" className={styles.link}>
          <Icon name="theme" />
          <span className="cut">Theme: {THEME_LABELS[chosen].toLowerCase()}</span>
        </button>
      }
      items={THEMES.map((theme) => ({
        label: THEME_LABELS[theme],
        isChecked: theme === chosen,
        onSelect: () => chooseTheme(theme),
      }))}
    />
  );
}
