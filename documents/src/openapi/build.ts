import { catalogueSchemas } from './catalogue-schemas.ts';
import { ownDocument, tags } from './endpoint-document.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { documents } from './endpoints/all.ts';
import { others } from './endpoints/others.ts';
import { signInSchemas } from './endpoints/sign-in-schemas.ts';
import { signIn } from './endpoints/sign-in.ts';
import { failureResponses, failureSchemas } from './failures.ts';
import { introduction } from './introduction.ts';
import { namedRoutes } from './names.ts';
import type { Operation } from './operation.ts';
import { parameterSchemas } from './parameters.ts';
import { endpoints, openApiPath } from './route-tables.ts';
import { ref, type Components, type Schema } from './schema.ts';
import { schemaOf } from './zod-schema.ts';
import { searchOutput } from '@covalence/search/searches/search-output';
import { listedRecordSchema, ownRecordSchema, singleRecordSchema } from '@covalence/contract/member-record';
import type { z } from 'zod';

/** What is not as it should be between the services' tables and their documents; empty where all is well. */
export function differences(): string[] {
  const undocumented = [...endpoints].flatMap(([route, endpoint]) =>
    ownDocument(endpoint) || Object.hasOwn(documents, route) ? [] : [route],
  );
  const operated = new Set([
    ...Object.keys(signIn),
    ...Object.keys(others),
    ...[...endpoints.keys()].map(openApiPath),
  ]);
  const gone = Object.keys(documents).filter((route) => !endpoints.has(route));
  return [
    ...undocumented.map((route) => `${route} has no document: add one to documents/src/openapi/endpoints`),
    ...gone.map((route) => `${route} has a document, but no service has such a route`),
    ...namedRoutes
      .filter((route) => !operated.has(route))
      .map(
        (route) => `${route} has a name in documents/src/openapi/names.ts, but there is no such operation`,
      ),
  ];
}

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** An object's schema written out, also where it is in `components`. */
function objectOf(type: z.ZodType, components: Components): ObjectSchema {
  const schema = schemaOf(type, 'output', components);
  const name = type.meta()?.id;
  return ((name !== undefined && components.get(name)) || schema) as ObjectSchema;
}

/**
 * Records that are put together of others, each written out: generated clients lose what may be null of the parts of an
 * `allOf`, and cannot tell the parts of an `anyOf` from each other.
 */
function composed(components: Components): Readonly<Record<string, Schema>> {
  const own = objectOf(ownRecordSchema, components);
  const single = objectOf(singleRecordSchema, components);
  const listed = objectOf(listedRecordSchema, components);
  const page = objectOf(searchOutput, components);
  const { users } = page.properties;
  const found = users?.['items'] as ObjectSchema;
  return {
    MemberRecord: {
      ...own,
      description:
        'A single profile; what is not always there belongs to the own one, or to an active membership.',
      required: own.required.filter((name) => single.required.includes(name)),
    },
    FoundMember: {
      ...listed,
      description: 'A search result: a record with what the search says of it.',
      properties: { ...listed.properties, ...found.properties },
      required: [...new Set([...listed.required, ...found.required])],
    },
    SearchPage: {
      ...page,
      properties: { ...page.properties, users: { ...users, items: ref('FoundMember') } },
    },
  };
}

function operations(components: Components): [string, Operation][] {
  const declared = [...endpoints].map(([route, endpoint]): [string, Operation] => {
    const document = ownDocument(endpoint) ?? documents[route];
    if (!document) throw new Error(`${route} has no document`);
    const path = openApiPath(route);
    return [path, endpointOperation(path, endpoint, document, components)];
  });
  return [...Object.entries(signIn), ...declared, ...Object.entries(others)];
}

/** Operations under their paths. */
function pathsOf(all: readonly [string, Operation][]): Schema {
  const paths = new Map<string, Record<string, Operation>>();
  for (const [route, operation] of all) {
    const [method = '', path = ''] = route.split(' ');
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operation });
  }
  return Object.fromEntries(paths);
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access_token of POST /token: `Authorization: Bearer …`.',
  },
  signIn: {
    type: 'oauth2',
    description: 'Authorization code with PKCE (S256); the scope is implied by the client.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/authorize',
        tokenUrl: '/token',
        refreshUrl: '/token',
        scopes: { member: 'What members may do.', staff: 'What Customer Service may do.' },
      },
    },
  },
  providerSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description: 'Time and HMAC-SHA256 of a payment provider’s message.',
  },
};

/** The OpenAPI 3.1 document of everything that the gateway serves. Throws where a route and its document do not fit. */
export function buildOpenApi(): Schema {
  const components: Components = new Map(
    Object.entries({ ...failureSchemas, ...parameterSchemas, ...catalogueSchemas, ...signInSchemas }),
  );
  const paths = pathsOf(operations(components));
  for (const [name, schema] of Object.entries(composed(components))) components.set(name, schema);
  // Nothing answers the parts themselves.
  for (const part of ['OwnRecord', 'SingleRecord']) components.delete(part);
  const byName = [...components].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Covalence',
      version: '1',
      summary: 'The member service that online-dating apps stand on.',
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: '{base_url}, and {auth_url} unless the operator splits them.' }],
    security: [{ accessToken: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes, responses: failureResponses, schemas: Object.fromEntries(byName) },
  };
}
