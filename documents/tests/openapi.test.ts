import { describe, expect, it } from '@jest/globals';
import { failureCodes } from '@covalence/contract/failure-codes';
import { documentPaths } from '@covalence/gateway/responses/documents';
import { createRouteTable } from '@covalence/gateway/routing/route-table';
import { routes } from '@covalence/gateway/routing/routes';
import { buildOpenApi, undeclared } from '../src/openapi/build.ts';
import { endpoints, openApiPath } from '../src/openapi/route-tables.ts';

/** Codes of each endpoint, as clients know them: to remove one fails here. */
const specCodes: Readonly<Record<string, readonly number[]>> = {
  'POST /members': [
    10001, 10002, 10011, 10021, 10022, 10031, 10032, 10041, 10051, 10061, 10101, 10102, 10201, 10301, 10302,
    10401, 10402, 10501, 10601, 10701,
  ],
  'POST /members/self': [
    10002, 10021, 10022, 10031, 10032, 10051, 10101, 10102, 10501, 10601, 20101, 20102, 20201, 20301, 20401,
    20402, 20403, 20501, 20502, 20701, 20702, 20703, 20704, 20801, 20901,
  ],
  'POST /searches': [31000, 31003, 31004, 31005, 31006, 31007, 31009, 31010, 31011, 31012, 31013],
  'POST /members/self/criteria': [31000, 31003, 31004, 31005, 31006, 31007, 31008, 31009, 31010, 31011],
  'POST /members/self/matchcriteria': [30101, 30201, 30202, 30203, 30301, 30401, 30501],
  'POST /search': [40101, 40201, 40202, 40203, 40301],
  'POST /searches/saved': [20222, 20223, 20224, 20225],
  'POST /photo': [11201, 11202, 11203, 11204, 11205, 11206],
  'DELETE /photo/:photoid': [11301, 11302, 11303],
  'POST /like': [50001, 80001, 80002, 80004, 80007, 80013],
  'GET /users/:profileid': [80002, 80003, 80004, 80007, 80014, 80061, 80062, 80063, 80064, 80065],
  'POST /messages': [
    80001, 80002, 80003, 80004, 80005, 80006, 80007, 80008, 80012, 80013, 80014, 80015, 80016, 80064,
  ],
};

/** Codes of the table that nothing raises. */
const neverRaised = [80009, 80010, 80011];

const table = createRouteTable(routes);

/** A path that a pattern stands for. */
const sample = (path: string) => path.replaceAll(/\{(\w+)\}/g, '7');

const operations = (): readonly string[] => [
  ...Object.keys(undeclared),
  ...[...endpoints.keys()].map(openApiPath),
];

const paths = buildOpenApi()['paths'] as Record<string, Record<string, unknown>>;

const declared = (route: string) => endpoints.get(route)?.codes ?? [];

interface Answer {
  readonly content: { readonly 'application/json': { readonly examples: { example: { value: unknown } } } };
}

/** The example of a route's 200 answer, as the document has it. */
function exampleAnswer(route: string): unknown {
  const [method = '', path = ''] = openApiPath(route).split(' ');
  const operation = paths[path]?.[method.toLowerCase()] as { responses: { 200: Answer } } | undefined;
  return operation?.responses[200].content['application/json'].examples.example.value;
}

describe('the OpenAPI document', () => {
  it('names every route of the gateway with its methods, and no other', () => {
    const unrouted = operations().filter((route) => {
      const [method = '', path = ''] = route.split(' ');
      const found = table.find(sample(path));
      return !documentPaths.includes(path) && !found?.methods.some((one) => one === method);
    });
    expect(unrouted).toEqual([]);

    const routed = Object.entries(routes).flatMap(([path, { methods }]) =>
      methods.map((one) => `${one} ${path}`),
    );
    const documented = new Set(
      operations().map((route) => {
        const [method = '', path = ''] = route.split(' ');
        return `${method} ${table.find(sample(path))?.path ?? path}`;
      }),
    );
    expect(routed.filter((route) => !documented.has(route))).toEqual([]);
    expect(documentPaths.filter((path) => !documented.has(`GET ${path}`))).toEqual([]);
  });

  it('gives each endpoint the access of its route', () => {
    const differing = [...endpoints].filter(([route, { access }]) => {
      const [, path = ''] = openApiPath(route).split(' ');
      return table.find(sample(path))?.access !== access;
    });
    expect(differing.map(([route]) => route)).toEqual([]);
  });

  it.each(Object.entries(specCodes))('declares the codes that clients know at %s', (route, codes) => {
    expect(declared(route)).toEqual(expect.arrayContaining([...codes]));
  });

  it('declares every failure code, and no other', () => {
    const named = new Set([...endpoints.values()].flatMap(({ codes = [] }) => codes));
    const known = failureCodes.map(({ code }) => code);
    expect(known.filter((code) => !named.has(code))).toEqual(neverRaised);
    expect([...named].filter((code) => !known.includes(code))).toEqual([]);
  });

  it.each([...endpoints])('has examples that the endpoint accepts and produces: %s', (route, endpoint) => {
    const { request = {} } = endpoint.example ?? {};
    expect(endpoint.input.safeParse(request).error?.issues ?? []).toEqual([]);
    expect(endpoint.output.safeParse(exampleAnswer(route)).error?.issues ?? []).toEqual([]);
  });

  it('declares the failures of every call, and of every call with a body', () => {
    const silent: string[] = [];
    for (const [path, methods] of Object.entries(buildOpenApi()['paths'] as Record<string, object>)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { responses, requestBody } = operation as { responses: object; requestBody?: object };
        const always = ['408', '429', '431', ...(requestBody ? ['400', '413'] : [])];
        silent.push(
          ...always.filter((status) => !(status in responses)).map((one) => `${method} ${path} ${one}`),
        );
      }
    }
    expect(silent).toEqual([]);
  });

  it('gives every operation a unique summary', () => {
    const summaries = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((operation) => (operation as { summary: string }).summary),
    );
    expect(summaries.filter((one, index) => summaries.indexOf(one) !== index)).toEqual([]);
  });

  it('describes every parameter', () => {
    const silent: string[] = [];
    for (const [path, methods] of Object.entries(buildOpenApi()['paths'] as Record<string, object>)) {
      for (const [method, operation] of Object.entries(methods)) {
        const { parameters = [] } = operation as { parameters?: { name: string; description?: string }[] };
        const empty = parameters.filter(({ name, description }) => !description || description === name);
        silent.push(...empty.map(({ name }) => `${method} ${path} ${name}`));
      }
    }
    expect(silent).toEqual([]);
  });
});
