import { buildOutdated } from '../../../scripts/build.mjs';

/** Once for a whole run: `dist/` of the sources as they are, from which tests take threads, too. */
export default async function buildPrograms(): Promise<void> {
  await buildOutdated();
}
