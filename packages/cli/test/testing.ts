/** What tests of other packages need of this one, and nothing else does. */
export { addClientCommands } from '../src/client/commands.ts';
export { mcpMount } from '../src/serve/mcp-mount.ts';
export { runCommand } from './support/command.ts';
