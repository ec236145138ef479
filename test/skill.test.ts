import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/source-files.mjs';

const text = readFileSync(`${ROOT}skills/trawl/SKILL.md`, 'utf8');
const [, head = '', body = ''] = /^---\n([\s\S]+?)\n---\n([\s\S]+)$/.exec(text) ?? [];

// https://agentskills.io/specification; its commands are run by test/docs/examples.test.ts
test('the skill has the form of Agent Skills', () => {
  const { name, description, license, compatibility, ...others } = load(head) as Record<
    string,
    string
  >;
  expect(others).toEqual({});
  expect([name, license]).toEqual(['trawl', 'Apache-2.0']);
  expect(description?.length).toBeLessThanOrEqual(1024);
  expect(description).toMatch(/\bUse it when\b/);
  expect(compatibility?.length).toBeLessThanOrEqual(500);
  expect(body.split('\n').length).toBeLessThan(500);
});

test('it names tools that the MCP server has', () => {
  const docs = readFileSync(`${ROOT}docs/mcp.md`, 'utf8');
  const named = new Set(body.match(/`(?:web_\w+|search_history|verify_\w+)`/g));
  expect(named.size).toBe(5);
  for (const tool of named) expect(docs).toContain(`### ${tool}\n`);
});
