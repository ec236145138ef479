import { encodePlainRequest } from '../../requests/link.ts';

/** The address of the playground with this query and auto-routing, below `/console`. */
export function playgroundLink(project: string, query: string): string {
  const body = { user_input: { query }, search: { auto_routing: 'accuracy' } };
  const request = encodePlainRequest({ mode: 'search', body });
  return `/console/p/${project}/playground${request === null ? '' : `?r=${request}`}`;
}
