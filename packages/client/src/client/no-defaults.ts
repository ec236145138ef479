import { TrawlError } from '../values/errors.ts';
import type { ReadDefaults } from './defaults.ts';

/**
 * Instead of `settings/defaults.ts` where there are no files, so that a bundle for the web has
 * neither it nor Node's modules.
 */
export const readDefaults: ReadDefaults = () => {
  throw new TrawlError('usage', 'settings are read on Node only: use new Trawl() as client');
};
