// biome-ignore lint/suspicious/noExplicitAny: refusals of any form
type Body = any;

/**
 * A refusal without its hints. `spec/7.2-hints.test.ts` tests the hints; other tests of a
 * refusal compare the rest.
 */
export function withoutHints({ hint: _, ...body }: Body): Body {
  if (!Array.isArray(body.detail)) return body;
  return { ...body, detail: body.detail.map(({ hint: _hint, ...issue }: Body) => issue) };
}
