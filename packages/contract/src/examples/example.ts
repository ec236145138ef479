/** An example of a request or an answer. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export type Examples = Readonly<Record<string, Example>>;

/** The examples of one route. */
export interface RouteExamples {
  /** Bodies that are answered with the route's own status. */
  readonly request?: Examples;
  readonly answer: Examples;
  readonly dryRun?: Examples;
  /** The answer as a table, where it can be asked for. */
  readonly csv?: Examples;
  /** The answer as text for a model, where it can be asked for. */
  readonly text?: Examples;
  /** The answer as events. */
  readonly events?: Examples;
  /** Its answer with status 503, where that is not an error. */
  readonly unavailable?: Examples;
}

/** An answer as text for a model. */
export const textExample = (value: string): Examples => ({
  text: { summary: 'With Accept: text/markdown: text for a model', value },
});

/** An answer in events, each with a name and its `data`. */
export const eventsExample = (
  summary: string,
  events: readonly (readonly [string, unknown])[],
): Examples => ({
  streamed: {
    summary,
    value: events
      .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      .join(''),
  },
});
