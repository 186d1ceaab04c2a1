import type { Tag } from './endpoint-document.ts';
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

const words = (text: string) => text.split(/[^A-Za-z0-9]+/).filter(Boolean);

/** A word with a capital letter. */
export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A name for code generators: 'POST /photo/{photoid}' is postPhotoByPhotoid. */
export function operationIdOf(route: string): string {
  const [method = '', path = ''] = route.split(' ');
  const parts = path
    .split('/')
    .filter(Boolean)
    .map((part) =>
      part.startsWith('{') ? `By${words(part).map(capital).join('')}` : words(part).map(capital).join(''),
    );
  return [method.toLowerCase(), ...parts].join('');
}
