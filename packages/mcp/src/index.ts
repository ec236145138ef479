export { createHttpTools, type HttpTools, type McpHttpOptions } from './server/http.ts';
export { type StdioOptions, serveOverStdio } from './server/stdio.ts';
export { toolNames, unknownTool } from './server/tool-server.ts';
