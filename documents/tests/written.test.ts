import { describe, expect, it } from '@jest/globals';
import asyncApiSchema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' };
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { buildAsyncApi } from '../src/async-api.ts';
import { gatewayRoutes } from '../src/gateway-routes.ts';
import { buildOpenApi } from '../src/openapi/build.ts';
import { jsonText, outdated, places } from '../src/write.ts';

describe('the generated documents', () => {
  it('are up to date: pnpm contracts writes them', async () => {
    const files = {
      [places.routes]: gatewayRoutes(),
      [places.openApi]: jsonText(buildOpenApi()),
      [places.asyncApi]: jsonText(buildAsyncApi()),
    };
    expect(await outdated(files)).toEqual([]);
  });

  it('include an AsyncAPI document that is valid, with valid examples', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const document = buildAsyncApi();
    const isValid = ajv.validate(asyncApiSchema, document);
    expect(isValid ? [] : ajv.errors?.slice(0, 5)).toEqual([]);
    const { channels } = document as { channels: Record<string, { messages: Record<string, Message> }> };
    for (const { messages } of Object.values(channels)) {
      for (const [name, { payload, examples = [] }] of Object.entries(messages)) {
        const refused = examples.filter((example) => !ajv.validate(payload, example.payload));
        expect({ name, refused }).toEqual({ name, refused: [] });
      }
    }
  });

  it('allow additional fields in live updates, as in answers', () => {
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const { channels } = buildAsyncApi() as {
      channels: { liveUpdates: { messages: Record<string, Message> } };
    };
    const grown = Object.entries(channels.liveUpdates.messages).flatMap(
      ([name, { payload, examples = [] }]) =>
        examples.flatMap(({ payload: frame }) => {
          if (typeof frame !== 'object' || frame === null || !('data' in frame)) return [];
          const data = { ...(frame.data as object), more: 1 };
          return ajv.validate(payload, { ...frame, data, more: 1 }) ? [] : [name];
        }),
    );
    expect(grown).toEqual([]);
  });
});

interface Message {
  readonly payload: object;
  readonly examples?: readonly { readonly payload: unknown }[];
}
