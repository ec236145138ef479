import { RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import type { HttpContext, HttpEnv, HttpExchange } from './exchange.ts';

/** One route of a table. */
export interface TableRow {
  readonly method: string;
  /** Path with `{name}` for a path parameter. */
  readonly path: string;
  readonly run: (context: HttpContext, exchange: HttpExchange) => Promise<Response>;
}

/** A path of a table as Hono spells it. */
export const pattern = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Adds routes to the app. A path answers HEAD as GET, and other methods than its own with a 405.
 */
export function mountTable(app: Hono<HttpEnv>, rows: readonly TableRow[]): void {
  for (const path of new Set(rows.map((row) => row.path))) {
    const some = rows.filter((row) => row.path === path);
    const methods = new Map(some.map(({ method, run }) => [method, run]));
    const names = some.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = names.join(', ');
    app.all(pattern(path), (context) => {
      const { method } = context.req;
      const run = methods.get(method === 'HEAD' ? 'GET' : method);
      if (run) return run(context, context.get('exchange'));
      const hint = `this path takes ${allow}`;
      throw new RequestError(405, 'Method Not Allowed', { headers: { allow }, hint });
    });
  }
}
