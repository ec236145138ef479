const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

type Serve = (request: Request) => Promise<Response>;

/**
 * Serves clients that accept one of the two types of answers too: the library refuses all that do
 * not name both. A client that does not name events gets the plain answer.
 */
export function withAcceptedAnswers(serve: Serve): Serve {
  return async (request) => {
    const accepted = (request.headers.get('accept') ?? '*/*').toLowerCase();
    const takesEvents = accepted.includes(EVENTS);
    const takesJson = [JSON_TYPE, 'application/*', '*/*'].some((type) => accepted.includes(type));
    if (!takesEvents && !takesJson) return serve(request);
    const headers = new Headers(request.headers);
    headers.set('accept', `${JSON_TYPE}, ${EVENTS}`);
    const response = await serve(new Request(request, { headers }));
    const isStream = response.headers.get('content-type')?.startsWith(EVENTS) === true;
    return isStream && !takesEvents ? plainAnswer(response) : response;
  };
}

/**
 * The answers in a stream of events, without the notices before them: one as it is, several of a
 * batch as a list.
 */
async function plainAnswer(response: Response): Promise<Response> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
  const answers = lines.map((line) => line.slice('data:'.length).trim()).filter(isAnswer);
  const [first = '', ...more] = answers;
  const body = more.length === 0 ? first : `[${answers.join(',')}]`;
  const headers = new Headers(response.headers);
  headers.set('content-type', JSON_TYPE);
  return new Response(body, { status: response.status, headers });
}

/** A notice has a method, and an answer has none. */
function isAnswer(text: string): boolean {
  if (text === '') return false;
  const message: unknown = JSON.parse(text);
  return typeof message === 'object' && message !== null && !('method' in message);
}
