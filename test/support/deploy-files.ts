import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { CORE_SCHEMA, loadAll, mergeTag } from 'js-yaml';

const ROOT = new URL('../../', import.meta.url);

export const text = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** The files of a folder, as paths of the repository. */
export const filesOf = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT)).map((name) => `${folder}${name}`);

/** What `.dockerignore` leaves of the files of the repository. */
export function contextFiles(): readonly string[] {
  const patterns = text('.dockerignore')
    .split('\n')
    .filter((line) => /^[!*]./.test(line) && line !== '*');
  const specs = patterns.flatMap((line) =>
    line.startsWith('!')
      ? [`:(glob)${line.slice(1)}`, `:(glob)${line.slice(1)}/**`]
      : [`:(exclude,glob)${line}`, `:(exclude,glob)${line}/**`],
  );
  const args = ['ls-files', '-z', '--', ...specs];
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
}

/** With `<<`, which Compose knows. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** The documents of a YAML file. */
export const documents = (path: string): readonly unknown[] => loadAll(text(path), { schema });

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object, or an empty one. */
export const fields = (value: unknown): Fields => (isFields(value) ? value : {});

/** A list, or an empty one. */
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What is at a path such as `spec.template.spec`; numbers count in lists. */
export function at(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    found = Array.isArray(found) ? found[Number(step)] : fields(found)[step];
  }
  return found;
}

/** The values of all members of this name, at any depth. */
export function valuesOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesOf(item, name));
  return Object.entries(fields(value)).flatMap(([key, inner]) => [
    ...(key === name ? [inner] : []),
    ...valuesOf(inner, name),
  ]);
}
