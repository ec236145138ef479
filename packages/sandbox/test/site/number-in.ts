/** A whole number from the query, within limits that protect the machine. */
export function numberIn(
  query: URLSearchParams,
  name: string,
  usual: number,
  most: number,
): number {
  const text = query.get(name) ?? '';
  return /^\d+$/.test(text) ? Math.min(Number(text), most) : usual;
}
