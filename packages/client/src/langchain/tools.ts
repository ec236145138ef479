import { tool } from '@langchain/core/tools';
import { fetchDescription, searchDescription } from '../text/descriptions.ts';
import {
  type FetchToolOptions,
  fetchFor,
  fetchTexts,
  fetchToolOptions,
  type SearchToolOptions,
  searchFor,
  searchTexts,
  searchToolOptions,
} from '../tools/ask.ts';
import { FetchToolInput, SearchToolInput } from '../tools/inputs.ts';

/** A tool that searches the web: text for the model, and the whole answer as its artifact. */
export function webSearchTool(given: SearchToolOptions = {}) {
  const options = searchToolOptions(given);
  const textOf = searchTexts(options);
  return tool(
    async (input: SearchToolInput, config) => {
      const answer = await searchFor(input, options, config?.signal);
      return [textOf(answer), answer];
    },
    {
      name: 'web_search',
      description: options.description ?? searchDescription('web_fetch'),
      schema: SearchToolInput,
      responseFormat: 'content_and_artifact',
    },
  );
}

/** A tool that reads pages: text for the model, and the whole answer as its artifact. */
export function webFetchTool(given: FetchToolOptions = {}) {
  const options = fetchToolOptions(given);
  const textOf = fetchTexts(options);
  return tool(
    async (input: FetchToolInput, config) => {
      const answer = await fetchFor(input, options, config?.signal);
      return [textOf(answer), answer];
    },
    {
      name: 'web_fetch',
      description: options.description ?? fetchDescription('web_search'),
      schema: FetchToolInput,
      responseFormat: 'content_and_artifact',
    },
  );
}
