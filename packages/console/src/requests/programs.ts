import { endpointOf, type PlannedRequest } from './planned.ts';

/** A program that is ready to use, and the name of its language or tool. */
export interface Program {
  readonly name: string;
  readonly text: string;
}

/** Names of the client's method, in TypeScript and in Python. */
const METHODS = {
  'POST /v1/search': ['search', 'search'],
  'POST /v1/interactions': ['createInteraction', 'create_interaction'],
  'POST /v1/fetch': ['fetch', 'fetch'],
} as const;

/**
 * A request in each language, with the same JSON. The key is read from the variable
 * `SERVICE_API_KEY`.
 * @param baseUrl address of the server, such as `https://trawl.example.com`
 */
export function programsOf(request: PlannedRequest, baseUrl: string): readonly Program[] {
  const endpoint = endpointOf(request);
  const [method, pythonMethod] = METHODS[endpoint];
  const body = visibleJson(request.body);
  const address = visibleJson(baseUrl);
  return [
    {
      name: 'curl',
      text: `curl -sS ${inQuotes(baseUrl + endpoint.replace('POST ', ''))} \\
  -H "Authorization: Bearer $SERVICE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw ${inQuotes(body)}`,
    },
    {
      name: 'TypeScript',
      text: `import { Trawl } from '@trawl/client';

const client = new Trawl({ baseUrl: ${address}, apiKey: () => process.env.SERVICE_API_KEY });
const answer = await client.${method}(${body});
console.log(JSON.stringify(answer, null, 2));
`,
    },
    {
      name: 'Python',
      // JSON has no three quotes in a row: those inside of a string are escaped
      text: `import json

from trawl import Trawl

client = Trawl(${address})
answer = client.${pythonMethod}(json.loads(r"""${body}"""))
print(json.dumps(answer, indent=2))
`,
    },
  ];
}

/** A text as one word of a POSIX shell. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Characters that move the cursor, end a line or turn the direction of text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** JSON with the unseen characters escaped, so that it can be shown and pasted. */
const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNSEEN, (character) =>
    // line breaks are those of the indentation: inside of strings they are escaped already
    character === '\n' ? '\n' : character.split('').map(jsonEscape).join(''),
  );

const jsonEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
