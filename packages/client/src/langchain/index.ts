export type { FetchToolAnswer, FetchToolOptions, SearchToolOptions } from '../tools/ask.ts';
export { NoDocumentsError, type OnFailure } from './failures.ts';
export { type PageMetadata, TrawlLoader, type TrawlLoaderOptions } from './loader.ts';
export { type RowMetadata, TrawlRetriever, type TrawlRetrieverOptions } from './retriever.ts';
export { webFetchTool, webSearchTool } from './tools.ts';
