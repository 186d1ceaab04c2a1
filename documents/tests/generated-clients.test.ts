import { describe, expect, it } from '@jest/globals';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildOpenApi } from '../src/openapi/build.ts';

/** What code generators need that nobody here wrote: each line is a client that was broken without it. */

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const document = buildOpenApi();

/** Every map below a node with the way to it, examples left aside. */
function* nodesOf(node: unknown, way = ''): Generator<readonly [string, Node]> {
  if (!isNode(node)) return;
  if (!Array.isArray(node)) yield [way, node];
  for (const [name, value] of Object.entries(node)) {
    if (!/^examples?$/.test(name)) yield* nodesOf(value, `${way}/${name.replaceAll('/', '~1')}`);
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
    const { components } = document as { components: { schemas: Readonly<Record<string, Node>> } };
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
