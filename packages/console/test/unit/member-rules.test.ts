import type { Member } from '@trawl/contract/console';
import { expect, test } from 'vitest';
import { whyFixed } from '../../src/pages/members/member-rules.ts';

const member = (id: string, change: Partial<Member>): Member => ({
  id,
  name: id,
  email: `${id}@example.com`,
  role: 'viewer',
  is_operator: false,
  signs_in_with: 'password',
  joined_at: '2026-01-01T00:00:00.000Z',
  last_seen_at: null,
  ...change,
});
const admin = { id: 'admin', isOwner: false, isAdmin: true };
const owner = { id: 'owner', isOwner: true, isAdmin: true };
const one = member('one', { role: 'owner' });
const another = member('another', { role: 'owner' });
const operator = member('operator', { role: 'owner', is_operator: true });
const viewer = member('viewer', {});

test('an owner is changed by owners and by themselves, but not the last one', () => {
  expect(whyFixed(one, [one, viewer], owner)).toMatch(/last owner/);
  expect(whyFixed(one, [one, another], owner)).toBeUndefined();
  expect(whyFixed(one, [one, another], admin)).toMatch(/Only an owner/);
  expect(whyFixed(one, [one, another], { ...admin, id: 'one' })).toBeUndefined();
});

test('an operator is an owner of every project, and counts as one', () => {
  expect(whyFixed(operator, [operator, one], owner)).toMatch(/operator/);
  expect(whyFixed(operator, [operator, viewer], owner)).toMatch(/last owner/);
  expect(whyFixed(one, [operator, one], owner)).toBeUndefined();
});

test('other roles are changed by anyone who may change members', () => {
  expect(whyFixed(viewer, [one, viewer], admin)).toBeUndefined();
});
