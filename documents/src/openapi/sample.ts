import { whole, type Components, type Schema } from './schema.ts';

/** Examples of texts by format. */
const formats: Readonly<Record<string, string>> = {
  uuid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77',
  'date-time': '2026-03-01T12:00:00.000Z',
  date: '2026-03-01',
  uri: 'https://pictures.example/lake.jpg',
};

/** Values that a schema names, best example first. */
const given = (schema: Schema): readonly unknown[] => [
  ...((schema['examples'] as unknown[] | undefined) ?? []),
  ...['default', 'const'].flatMap((keyword) => (keyword in schema ? [schema[keyword]] : [])),
  ...((schema['enum'] as unknown[] | undefined) ?? []),
];

/** An example of a schema, composed of the examples of its parts. */
export function sampleOf(schema: Schema, components: Components): unknown {
  const sample = (one: unknown) => sampleOf(one as Schema, components);
  const { $ref: pointed, type, properties, required, items, anyOf } = whole(schema);
  if (typeof pointed === 'string') return sample(components.get(pointed.split('/').at(-1) ?? ''));
  const [first] = given(schema);
  if (first !== undefined) return first;
  if (Array.isArray(anyOf)) return sample(anyOf[0]);
  if (Array.isArray(type) && type.includes('null')) return null;
  if (type === 'array') return [sample(items)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1;
  if (type === 'string') return formats[String(schema['format'])] ?? 'text';
  // Required properties and those with an example.
  const shown = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>).filter(
    ([name, one]) => 'examples' in one || [required].flat().includes(name),
  );
  return Object.fromEntries(shown.map(([name, one]) => [name, sample(one)]));
}
