import { endpointOf, type PlannedRequest } from './planned.ts';
import { pythonText } from './python-text.ts';
import { visibleJson } from './shell-words.ts';

const METHODS = {
  'POST /v1/search': 'search',
  'POST /v1/interactions': 'createInteraction',
  'POST /v1/fetch': 'fetch',
} as const;

/** A program that sends a request by the TypeScript client and prints the answer. */
export const typescriptProgram = (request: PlannedRequest, baseUrl: string): string =>
  `import { Trawl } from '@trawl/client';

const client = new Trawl({
  baseUrl: ${visibleJson(baseUrl)},
  apiKey: () => process.env.SERVICE_API_KEY,
});
const answer = await client.${METHODS[endpointOf(request)]}(${visibleJson(request.body)});
console.log(JSON.stringify(answer, null, 2));
`;

const PYTHON_METHODS = { ...METHODS, 'POST /v1/interactions': 'create_interaction' } as const;

/** The same by the Python client, which reads the key from its variable. */
export const pythonProgram = (request: PlannedRequest, baseUrl: string): string =>
  `import json

from trawl import Trawl

client = Trawl(${pythonText(baseUrl)})
answer = client.${PYTHON_METHODS[endpointOf(request)]}(${pythonText(request.body)})
print(json.dumps(answer, indent=2))
`;
