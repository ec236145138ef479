import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { InteractionRecord, ObservedCall, ObservedEnd, RequestObserver } from '@trawl/router';
import type { Tracing } from './tracer.ts';

/**
 * The spans of one request: the request, the search or fetch in it, and each call to a provider.
 */
export interface RequestTrace {
  /** Hexadecimal. */
  readonly traceId: string;
  /** The request was admitted and its input is valid. */
  readonly begin: () => void;
  readonly called: RequestObserver['called'];
  readonly executed: (record: InteractionRecord) => void;
  readonly end: (status: number) => void;
}

export interface TracedRequest {
  readonly method: string;
  /** The template of its path. */
  readonly route: string;
  readonly headers: Headers;
  /** `search`, `fetch` or `probe`. */
  readonly operation: string;
}

/**
 * Names and attributes follow the conventions of OpenTelemetry; those of retrieval are still in
 * development there.
 */
export function traceRequest(
  { tracer, contextOf }: Tracing,
  { method, route, headers, operation }: TracedRequest,
): RequestTrace {
  const parent = contextOf(headers);
  const attributes = { 'http.request.method': method, 'http.route': route };
  const server = tracer.startSpan(
    `${method} ${route}`,
    { kind: SpanKind.SERVER, attributes },
    parent,
  );
  let inner: { readonly span: Span; readonly context: Context } | undefined;
  const begun = () => {
    if (!inner) {
      const span = tracer.startSpan(operation, {}, trace.setSpan(parent, server));
      inner = { span, context: trace.setSpan(parent, span) };
    }
    return inner;
  };
  return {
    traceId: server.spanContext().traceId,
    begin: () => void begun(),
    called: (call) => {
      const span = tracer.startSpan(
        nameOf(call),
        { kind: SpanKind.CLIENT, attributes: attributesOf(call) },
        begun().context,
      );
      return (end) => endCall(span, end);
    },
    executed: (record) => {
      begun().span.setAttributes({
        'gen_ai.conversation.id': record.sessionId,
        'trawl.interaction.id': record.id,
        'trawl.status': record.status,
        'trawl.cost_micros': record.ledger.reduce((sum, row) => sum + (row.costMicros ?? 0), 0),
      });
    },
    end: (status) => {
      inner?.span.end();
      server.setAttribute('http.response.status_code', status);
      if (status >= 500) server.setStatus({ code: SpanStatusCode.ERROR });
      server.end();
    },
  };
}

/** No convention exists for reading a page. */
const nameOf = ({ operation, provider }: ObservedCall): string =>
  operation === 'search' ? `retrieval ${provider}` : `fetch ${provider}`;

function attributesOf({ operation, provider, rows, tier }: ObservedCall) {
  const named = {
    'gen_ai.provider.name': provider,
    ...(tier ? { 'trawl.tier': tier } : {}),
  };
  if (operation === 'fetch') return named;
  return {
    ...named,
    'gen_ai.operation.name': 'retrieval',
    'gen_ai.data_source.id': provider,
    ...(rows === undefined ? {} : { 'gen_ai.request.top_k': rows }),
  };
}

function endCall(span: Span, { code, httpStatus, calls }: ObservedEnd): void {
  span.setAttribute('trawl.run.status', code === null ? 'succeeded' : 'failed');
  if (httpStatus !== null) span.setAttribute('http.response.status_code', httpStatus);
  if (calls > 1) span.setAttribute('http.request.resend_count', calls - 1);
  if (code !== null) {
    span.setAttribute('error.type', code);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
