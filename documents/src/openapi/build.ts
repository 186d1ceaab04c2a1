import { listedRecordSchema, ownRecordSchema, singleRecordSchema } from '@covalence/contract/member-record';
import { tags } from '@covalence/http/endpoint';
import { searchOutput } from '@covalence/search/searches/search-output';
import { catalogueSchemas } from './catalogue-schemas.ts';
import { endpointOperation } from './endpoint-operation.ts';
import { failureResponses, failureSchemas } from './failures.ts';
import { hostedPages } from './hosted-pages.ts';
import { introduction } from './introduction.ts';
import type { Operation, Operations } from './parts.ts';
import { otherOperations } from './other-operations.ts';
import { endpoints, openApiPath } from './route-tables.ts';
import { sampleOf } from './sample.ts';
import { type Components, type Schema } from './schema.ts';
import { signIn, signInSchemas } from './sign-in.ts';
import { schemaOf } from './zod-schema.ts';

/** Operations that are no endpoints of the services. */
export const undeclared: Operations = { ...signIn, ...hostedPages, ...otherOperations };

/** Both records of GET /users/{profileid} as one class, because generated clients cannot distinguish an `anyOf`. */
const memberRecord = ownRecordSchema.partial().extend(singleRecordSchema.shape).meta({
  id: 'MemberRecord',
  description: 'A single profile; optional properties belong to the own one, or to an active membership.',
});

/** A record with the fields that search adds. */
const foundMember = listedRecordSchema
  .extend(searchOutput.shape.users.element.shape)
  .meta({ id: 'FoundMember', description: 'A search result: a record, and how well it fits the search.' });

/** Adds the records first, because many responses refer to them. */
function addRecords(components: Components): void {
  for (const record of [memberRecord, foundMember]) schemaOf(record, 'output', components);
  const examples = [sampleOf(schemaOf(singleRecordSchema, 'output', components), components)];
  components.set('MemberRecord', { ...components.get('MemberRecord'), examples });
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
    description:
      'Time and HMAC-SHA256 of the message of a payment provider. Stripe and the app stores sign in their own way.',
  },
};

/** The OpenAPI 3.1 document of everything that the gateway serves. */
export function buildOpenApi(): Schema {
  const components: Components = new Map(
    Object.entries({ ...failureSchemas, ...catalogueSchemas, ...signInSchemas }),
  );
  addRecords(components);
  const declared = [...endpoints].map(
    ([route, endpoint]) =>
      [openApiPath(route), endpointOperation(openApiPath(route), endpoint, components)] as const,
  );
  const paths = pathsOf({ ...undeclared, ...Object.fromEntries(declared) });
  // No response refers to it.
  components.delete('SingleRecord');
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
