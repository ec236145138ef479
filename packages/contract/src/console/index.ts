export * from './route.ts';
export * from './routes.ts';
export * from './session.ts';
export * from './sessions.ts';
