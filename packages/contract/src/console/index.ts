export * from './account.ts';
export * from './audit.ts';
export * from './keys.ts';
export * from './projects.ts';
export * from './route.ts';
export * from './routes.ts';
export * from './session.ts';
export * from './sessions.ts';
