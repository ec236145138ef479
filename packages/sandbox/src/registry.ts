import type { Vendor } from './vendor.ts';
import { brave } from './vendors/brave.ts';
import { exa } from './vendors/exa.ts';

/** Every vendor the sandbox speaks for; its slug is the first path segment. */
export const VENDORS: readonly Vendor[] = [exa, brave];
