import { jsonText } from '@trawl/base';
import type { AuditEntry, AuditPage } from '@trawl/contract/console';
import type { AuditEntry as EntryRecord } from '@trawl/store';
import type { AuditTrail } from '../accounts/audit-trail.ts';
import type { ConsoleHandlers } from '../serving/handler.ts';

const PAGE_DEFAULT = 50;
/** Entries of an export that are in memory at once. */
const EXPORT_PAGE = 500;

type AuditHandlers = Pick<
  ConsoleHandlers,
  'listAudit' | 'exportAudit' | 'listDeploymentAudit' | 'exportDeploymentAudit'
>;

type Filters = Omit<Parameters<AuditTrail['page']>[0], 'limit'>;

/** What was done by whom, in a project or in the whole deployment. */
export function auditRoutes(trail: Pick<AuditTrail, 'page'>): AuditHandlers {
  const page = async ({
    limit = PAGE_DEFAULT,
    ...filters
  }: Filters & { limit?: number | undefined }) => {
    const { entries, next } = await trail.page({ ...filters, limit });
    return { text: jsonText<AuditPage>({ entries: entries.map(entry), next }) };
  };
  return {
    listAudit: ({ params, query }) => page({ ...query, projectId: params.project_id }),
    listDeploymentAudit: ({ query }) => page(query),
    exportAudit: async ({ params, query }) => ({
      response: exported(trail, { ...query, projectId: params.project_id }),
    }),
    exportDeploymentAudit: async ({ query }) => ({ response: exported(trail, query) }),
  };
}

/** One line of JSON for each entry, read as the client takes them. */
function exported(trail: Pick<AuditTrail, 'page'>, filters: Filters): Response {
  let before: string | undefined;
  let isOver = false;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (isOver) return controller.close();
      const { entries, next } = await trail.page({ ...filters, before, limit: EXPORT_PAGE });
      const lines = entries.map((record) => `${JSON.stringify(entry(record))}\n`).join('');
      before = next ?? undefined;
      isOver = next === null;
      if (lines !== '') controller.enqueue(encoder.encode(lines));
      else controller.close();
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="trawl-audit.ndjson"',
      'cache-control': 'no-store',
    },
  });
}

const entry = (record: EntryRecord): AuditEntry => ({
  id: record.id,
  created_at: record.createdAt,
  actor: record.actor,
  action: record.action,
  target: record.target ?? { kind: null, id: null, name: null },
  outcome: record.outcome,
  reason: record.reason,
  detail: record.detail,
  ip: record.ip,
  user_agent: record.userAgent,
  request_id: record.requestId,
});
