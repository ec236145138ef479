/** What tests of other packages need of this one, and nothing else does. */
export { addClientCommands } from '../src/commands/all.ts';
export { mcpMount } from '../src/server/mcp-mount.ts';
export { runCommand } from './support/command.ts';
