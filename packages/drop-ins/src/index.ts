export { faultText } from './answers/faults.ts';
export { fetchedOf, foundOf, noMoreRows } from './answers/found.ts';
export * from './declaration/declaration.ts';
export type { ParameterUse } from './declaration/parameters.ts';
export * from './registry.ts';
