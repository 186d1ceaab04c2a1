import { describe, expect, it } from '@jest/globals';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { buildOpenApi } from '../src/openapi/build.ts';

/** Requirements of code generators: a generated client was broken without each of them. */

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const document = buildOpenApi();

/** Every map below a node with the way to it; without examples, and without what only the TypeScript client reads. */
function* nodesOf(node: unknown, way = ''): Generator<readonly [string, Node]> {
  if (!isNode(node)) return;
  if (!Array.isArray(node)) yield [way, node];
  for (const [name, value] of Object.entries(node)) {
    if (!/^(examples?|x-untyped)$/.test(name)) yield* nodesOf(value, `${way}/${name.replaceAll('/', '~1')}`);
  }
}

const nodes = [...nodesOf(document)];

const waysOf = (isWrong: (node: Node, way: string) => boolean) =>
  nodes.filter(([way, node]) => isWrong(node, way)).map(([way]) => way);

const isNull = (value: unknown) => isNode(value) && value['type'] === 'null';

/** Something of `components`, or null. */
const isNullableReference = (parts: unknown) =>
  Array.isArray(parts) && parts.length === 2 && parts.some(isNull);

const operations = nodes.filter(([, node]) => typeof node['operationId'] === 'string');

/** Every schema with its way: of parameters, contents, properties, items and maps. */
const schemas = nodes.flatMap(([way, node]) => [
  ...['schema', 'items', 'additionalProperties', 'propertyNames'].flatMap((name) =>
    isNode(node[name]) ? [[`${way}/${name}`, node[name]] as const] : [],
  ),
  ...Object.entries((node['properties'] ?? {}) as Readonly<Record<string, Node>>).map(
    ([name, one]) => [`${way}/properties/${name}`, one] as const,
  ),
]);

const { components } = document as { components: { schemas: Readonly<Record<string, Node>> } };

/** The schema that a reference names. */
const named = (node: Node) => components.schemas[String(node['$ref']).split('/').at(-1) ?? ''] ?? node;

/** The type of a schema and its format; of a list those of its items. */
function typeOf(schema: Node): string {
  const { type, format, items } = named(schema);
  if (isNode(items)) return typeOf(items);
  return [...[type].flat(), format].filter((one) => typeof one === 'string' && one !== 'null').join(' ');
}

/** The types of the parameters and fields of these names. */
function typesOf(names: readonly string[]): string[] {
  const fields = schemas.filter(([way]) => names.some((name) => way.endsWith(`/properties/${name}`)));
  const parameters = nodes.filter(([, { name, in: place }]) => place && names.includes(String(name)));
  const all = [...fields.map(([, one]) => one), ...parameters.map(([, { schema }]) => schema as Node)];
  return [...new Set(all.map(typeOf))];
}

const namesOf = ({ enum: values = [], 'x-enum-varnames': names = values }: Node) =>
  (names as readonly unknown[]).map(String);

const isInline = (schema: unknown) =>
  isNode(schema) && isNode(schema['properties']) && Object.keys(schema['properties']).length > 0;

describe('clients that are generated from the OpenAPI document', () => {
  it('have a method for every operation', () => {
    const names = operations.map(([, { operationId }]) => String(operationId));
    expect(names.length).toBeGreaterThan(80);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  it('have a named class for every response with fields', () => {
    const nameless = operations.filter(([, { responses }]) =>
      Object.values(responses as Readonly<Record<string, Node>>)
        .flatMap(({ content }) => Object.values((content ?? {}) as Readonly<Record<string, Node>>))
        .some(({ schema }) => isInline(schema)),
    );
    expect(nameless.map(([way]) => way)).toEqual([]);
  });

  it('see no union except of a class and null', () => {
    expect(
      waysOf(
        ({ anyOf, oneOf, allOf }) =>
          oneOf !== undefined || allOf !== undefined || (anyOf !== undefined && !isNullableReference(anyOf)),
      ),
    ).toEqual([]);
    expect(
      waysOf(({ type }) => Array.isArray(type) && !(type.length === 2 && type.includes('null'))),
    ).toEqual([]);
  });

  it('see the type of every value', () => {
    const untyped = schemas.filter(([, one]) => !['type', '$ref', 'anyOf'].some((name) => name in one));
    expect(untyped.map(([way]) => way)).toEqual([]);
    const shapeless = schemas.filter(
      ([way, { type, properties = {}, additionalProperties }]) =>
        // A whole body may be an empty object.
        !way.endsWith('/schema') &&
        [type].flat().includes('object') &&
        !Object.keys(properties as Node).length &&
        !isNode(additionalProperties),
    );
    expect(shapeless.map(([way]) => way)).toEqual([]);
  });

  it('see an identifier for every value of an enum', () => {
    const enums = nodes.filter(([, node]) => Array.isArray(node['enum']));
    expect(enums.length).toBeGreaterThan(20);
    expect(enums.flatMap(([, one]) => namesOf(one)).filter((name) => !/^[A-Za-z]\w*$/.test(name))).toEqual(
      [],
    );
    const uneven = enums.filter(([, one]) => new Set(namesOf(one)).size !== (one['enum'] as []).length);
    expect(uneven.map(([way]) => way)).toEqual([]);
  });

  it.each([
    [['profileid'], 'integer'],
    [['photoid', 'photoids'], 'integer'],
    [['messageid'], 'string uuid'],
    [['siteid', 'site'], 'integer'],
    [['endpoint'], 'string uri'],
    [['location[within]', 'distance'], 'integer'],
  ])('see one type of %j in bodies, paths and queries', (names, type) => {
    expect(typesOf(names)).toEqual([type]);
  });

  it('see one type of an age in bodies and queries', () => {
    const ends = schemas.filter(([way]) => /AgeCriterion\/properties\/(from|to)$/.test(way));
    expect(ends.map(([, end]) => typeOf(end))).toEqual(['number double', 'number double']);
    expect(typesOf(['age[from]', 'age[to]'])).toEqual(['number double']);
  });

  it('see the cursor of a list with the type of its `next`', () => {
    const differing = operations.filter(([, { parameters = [], responses }]) => {
      const cursor = (parameters as Node[]).find(({ name }) => name === 'cursor');
      const answer = JSON.stringify((responses as Readonly<Record<string, Node>>)['200']);
      const list = components.schemas[/schemas\/(\w+)/.exec(answer)?.[1] ?? ''];
      const next = (list?.['properties'] as Readonly<Record<string, Node>> | undefined)?.['next'];
      return cursor && next && typeOf(cursor['schema'] as Node) !== typeOf(next);
    });
    expect(differing.map(([way]) => way)).toEqual([]);
  });

  it('must send an age with a search', () => {
    for (const [operation, name] of [
      ['searchMembers', 'SearchMembersRequest'],
      ['saveSearch', 'SaveSearchRequest'],
    ]) {
      const found = operations.find(([, { operationId }]) => operationId === operation);
      expect(found?.[1]['requestBody']).toMatchObject({ required: true });
      expect(components.schemas[name ?? '']?.['required']).toContain('age');
    }
  });

  it('see the type of every constant and enum', () => {
    expect(waysOf((node) => Array.isArray(node['enum']) && node['type'] === undefined)).toEqual([]);
    expect(waysOf((node) => typeof node['const'] === 'string' || typeof node['const'] === 'number')).toEqual(
      [],
    );
  });

  it('see only a description beside a reference', () => {
    expect(
      waysOf((node) =>
        Object.keys(node).some((name) => '$ref' in node && !['$ref', 'description'].includes(name)),
      ),
    ).toEqual([]);
  });

  it('treat client_id as a text, because some languages write a UUID in capitals', () => {
    const ids = nodes
      .filter(([way, { name }]) => way.endsWith('/properties/client_id') || name === 'client_id')
      .map(([, node]) => (node['schema'] ?? node) as Node);
    expect(ids.length).toBeGreaterThan(3);
    expect(ids.filter((schema) => 'format' in schema)).toEqual([]);
  });

  it('upload photos as multipart forms and send everything else as JSON', () => {
    const types = operations.flatMap(([, { requestBody, operationId }]) => {
      const [first] = Object.keys((requestBody as Node | undefined)?.['content'] ?? {});
      return first ? [[String(operationId), first] as const] : [];
    });
    const others = types.filter(([, type]) => type !== 'application/json').map(([name]) => name);
    expect(others.filter((name) => !/^(submit|start|confirm)/.test(name))).toEqual(['uploadPhoto']);
  });

  it('send no default that would override a saved search', () => {
    for (const name of ['SaveSearchRequest', 'UpdateSavedSearchRequest', 'RunSavedSearchRequest']) {
      const { properties } = components.schemas[name] as { properties: Readonly<Record<string, Node>> };
      const kept = ['pagesize', 'sortby', 'exclude'].filter((one) => 'default' in (properties[one] ?? {}));
      expect({ name, kept }).toEqual({ name, kept: [] });
    }
  });

  it('see examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const format of ['binary', 'password', 'double']) ajv.addFormat(format, true);
    ajv.addSchema(document, 'openapi');
    const validators = new Map<string, ValidateFunction>();
    const validatorOf = (schema: Node, way: string) => {
      const key = JSON.stringify(schema);
      const validate = validators.get(key) ?? ajv.compile({ $ref: `openapi#${encodeURI(way)}/schema` });
      validators.set(key, validate);
      return validate;
    };
    let seen = 0;
    for (const [way, { schema, examples }] of nodes) {
      if (!isNode(schema) || !isNode(examples)) continue;
      const validate = validatorOf(schema, way);
      for (const [name, example] of Object.entries(examples)) {
        seen += 1;
        const isGood = validate((example as Node)['value']);
        expect({ way, name, errors: isGood ? [] : validate.errors }).toEqual({ way, name, errors: [] });
      }
    }
    expect(seen).toBeGreaterThan(300);
  });
});
