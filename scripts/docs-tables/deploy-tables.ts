import { readFileSync } from 'node:fs';

const shown = (path: string, language: string): string => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
};

/** Files of `deploy/` that a page shows. */
export const DEPLOY_TABLES: Readonly<Record<string, () => string>> = {
  'systemd-unit': () => shown('deploy/systemd/trawl.service', 'ini'),
};
