import { listedRecordSchema, ownRecordSchema, singleRecordSchema } from '@covalence/contract/member-record';
import { searchOutput } from '@covalence/search/searches/search-output';
import type { z } from 'zod';
import { catalogueSchemas } from './catalogue-schemas.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { failureResponses, failureSchemas } from './failures.ts';
import { hostedPages } from './hosted-pages.ts';
import { introduction } from './introduction.ts';
import type { Operation, Operations } from './operation.ts';
import { otherOperations } from './other-operations.ts';
import { endpoints, openApiPath } from './route-tables.ts';
import { sampleOf } from './sample.ts';
import { type Components, type Schema } from './schema.ts';
import { signIn, signInSchemas } from './sign-in.ts';
import { tags } from './tags.ts';
import { schemaOf } from './zod-schema.ts';

/** Operations beside those of the services' tables of endpoints. */
export const undeclared: Operations = { ...signIn, ...hostedPages, ...otherOperations };

interface ObjectSchema extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** An object's schema written out, also where it has a name. */
function objectOf(type: z.ZodType): ObjectSchema {
  const components: Components = new Map();
  const schema = schemaOf(type, 'output', components);
  const name = type.meta()?.id;
  return ((name !== undefined && components.get(name)) || schema) as ObjectSchema;
}

/**
 * Records that are put together of others, each written out: generated clients lose what may be null of the parts of an
 * `allOf`, and cannot tell the parts of an `anyOf` from each other.
 */
function composed(components: Components): Readonly<Record<string, Schema>> {
  const own = objectOf(ownRecordSchema);
  const single = objectOf(singleRecordSchema);
  const listed = objectOf(listedRecordSchema);
  const found = objectOf(searchOutput.shape.users.element);
  return {
    MemberRecord: {
      ...own,
      description:
        'A single profile; the optional properties belong to the caller’s own, or to an active membership.',
      required: own.required.filter((name) => single.required.includes(name)),
      examples: [sampleOf(single, components)],
    },
    FoundMember: {
      ...listed,
      description: 'A search result: a record, and how well it fits the search.',
      properties: { ...listed.properties, ...found.properties },
      required: [...new Set([...listed.required, ...found.required])],
    },
  };
}

/** Operations under their paths. */
function pathsOf(all: Operations): Schema {
  const paths = new Map<string, Record<string, Operation>>();
  for (const [route, operation] of Object.entries(all)) {
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

/** The OpenAPI 3.1 document of everything that the gateway serves. Throws where an endpoint lacks its documentation. */
export function buildOpenApi(): Schema {
  const components: Components = new Map(
    Object.entries({ ...failureSchemas, ...catalogueSchemas, ...signInSchemas }),
  );
  // The parts of records come first: the composed ones point at them.
  for (const record of [ownRecordSchema, listedRecordSchema]) schemaOf(record, 'output', components);
  for (const [name, schema] of Object.entries(composed(components))) components.set(name, schema);
  const declared = [...endpoints].map(([route, endpoint]) => {
    const path = openApiPath(route);
    return [path, endpointOperation(path, endpoint, components)] as const;
  });
  const paths = pathsOf({ ...undeclared, ...Object.fromEntries(declared) });
  // Nothing answers the parts themselves.
  for (const part of ['OwnRecord', 'SingleRecord']) components.delete(part);
  const byName = [...components].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Covalence',
      version: '1',
      summary: 'The member service behind online-dating apps.',
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
