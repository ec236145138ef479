import { describe, expect, test } from 'vitest';
import { databaseName } from '../src/program/database-name.ts';

describe('the name of a database', () => {
  test.each([
    [
      'postgres://user:hidden@db.example:5433/shop?sslmode=require',
      'PostgreSQL db.example:5433/shop',
    ],
    // a socket: the driver accepts it, but it is not a URL
    ['postgres://user:hidden@/shop?host=/var/run/postgresql', 'PostgreSQL of DATABASE_URL'],
  ])('has no secrets and never fails: %s', (databaseUrl, name) => {
    expect(databaseName({ databaseUrl, dataDir: 'data' })).toBe(name);
  });
});
