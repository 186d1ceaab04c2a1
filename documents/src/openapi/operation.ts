import type { Tag } from '@covalence/http/endpoint';
import type { Schema } from './schema.ts';

/** An operation of OpenAPI 3.1 as it is written out. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly Tag[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Schema[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Schema;
}

/** Operations by method and OpenAPI path: 'POST /token'. */
export type Operations = Readonly<Record<string, Operation>>;
