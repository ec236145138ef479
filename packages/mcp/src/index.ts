export { createHttpTools, type HttpOptions, type HttpTools } from './http.ts';
export { type StdioOptions, serveOverStdio } from './stdio.ts';
