export { createHttpTools, type HttpOptions, type HttpTools } from './server/http.ts';
export { type StdioOptions, serveOverStdio } from './server/stdio.ts';
