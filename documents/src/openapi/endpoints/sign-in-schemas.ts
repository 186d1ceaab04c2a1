import type { Schema } from '../schema.ts';

/** Schemas of the Authorization Server's operations. */
export const signInSchemas: Readonly<Record<string, Schema>> = {
  TokenPair: {
    type: 'object',
    description: 'Tokens of one sign-in.',
    properties: {
      access_token: { type: 'string', description: 'Sent as Bearer token.' },
      refresh_token: { type: 'string' },
      expires_in: {
        type: 'integer',
        description: 'Seconds that the access token is good for.',
        examples: [1800],
      },
      token_type: { type: 'string', enum: ['Bearer'] },
    },
    required: ['access_token', 'refresh_token', 'expires_in', 'token_type'],
  },
  OAuthFailure: {
    type: 'object',
    description:
      '`error` as RFC 6749, 5.2 has it; or `fail` alone, as everywhere else, where the request did not get that far.',
    properties: {
      error: { type: 'string' },
      error_description: { type: 'string' },
      fail: { type: 'string' },
      request_id: { type: 'string' },
    },
  },
};
