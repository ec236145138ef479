export * from './declaration.ts';
