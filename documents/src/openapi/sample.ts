import { isMap } from '@covalence/contract/is-map';
import type { Components, Schema } from './schema.ts';

/** Examples of texts whose format says what they look like. */
const formats: Readonly<Record<string, string>> = {
  uuid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
  'date-time': '2026-03-01T12:00:00.000Z',
  uri: 'https://pictures.example/lake.jpg',
};

/** What a schema says its value is, in the order in which an example takes it. */
const given = (schema: Schema): readonly unknown[] => [
  ...((schema['examples'] as unknown[] | undefined) ?? []),
  ...['default', 'const'].flatMap((keyword) => (keyword in schema ? [schema[keyword]] : [])),
  ...((schema['enum'] as unknown[] | undefined) ?? []),
];

/** Properties that an example has: those that are always there, and others that have an example. */
const isShown = (name: string, one: Schema, required: unknown) =>
  'examples' in one || (Array.isArray(required) && required.includes(name));

/** An example of what a schema describes, made of the examples of its parts. */
export function sampleOf(schema: Schema, components: Components): unknown {
  const sample = (one: unknown) => sampleOf(one as Schema, components);
  const { $ref: pointed, type, properties, required, items, anyOf } = schema;
  if (typeof pointed === 'string') return sample(components.get(pointed.split('/').at(-1) ?? ''));
  const [first] = given(schema);
  if (first !== undefined) return first;
  if (Array.isArray(anyOf)) return sample(anyOf[0]);
  if (Array.isArray(type) && type.includes('null')) return null;
  if (type === 'array') return [sample(items)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  if (type === 'string') return formats[String(schema['format'])] ?? 'text';
  const shown = Object.entries(isMap(properties) ? properties : {}).filter(([name, one]) =>
    isShown(name, one as Schema, required),
  );
  return Object.fromEntries(shown.map(([name, one]) => [name, sample(one)]));
}
