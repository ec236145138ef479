import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

test('MCP_TOOLS is a comma list of tools, and an unknown name is refused', () => {
  expect(readConfig({}).mcpTools).toBeUndefined();
  expect(readConfig({ MCP_TOOLS: 'web_search, verify_quotes,web_search' }).mcpTools).toEqual([
    'web_search',
    'verify_quotes',
  ]);
  expect(() => readConfig({ MCP_TOOLS: 'web_search,serch' })).toThrow(
    /MCP_TOOLS must be a comma list of web_search, .*; 1 of its names is none of these/,
  );
});
