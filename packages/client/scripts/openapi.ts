import { openApiDocument } from '@trawl/contract';

/** What the generators read of a schema. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Partial<Body> & { readonly $ref?: string }>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What clients make their own of, or do not show. */
const LEFT_OUT = new Set([
  'DetailError',
  'ValidationError',
  'TypedError',
  'ErrorEnvelope',
  'InteractionOrDryRun',
  'ProbeOrDryRun',
]);

/** The contract's OpenAPI document. */
export const DOCUMENT = (await openApiDocument('0')) as unknown as Document;

/** Names and schemas that become types of a client. */
export const componentsOf = (document: Document): readonly (readonly [string, Schema])[] =>
  Object.entries(document.components.schemas).filter(([name]) => !LEFT_OUT.has(name));

export const operationsOf = (document: Document) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
