import { fuzzing, fuzzingMs } from '@covalence/testing/fuzzing';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { WebSocket } from 'ws';
import { bytesOf, openRaw, textFrame, type RawFrame } from '../raw-socket.ts';
import { connectMember, startService, tokenOf, type ServiceUnderTest } from '../harness.ts';

const wrong = (parts: Partial<RawFrame>): RawFrame => ({ ...textFrame('hello'), ...parts });
const invalidUtf8 = Buffer.from([0xc3, 0x28]);

/** Frames that RFC 6455 forbids, with its close code. */
const forbidden: readonly (readonly [string, number, readonly RawFrame[]])[] = [
  ['a frame without a mask', 1002, [wrong({ masked: false })]],
  ['a reserved bit', 1002, [wrong({ reserved: 4 })]],
  ['an opcode that is none', 1002, [wrong({ opcode: 3 })]],
  ['a control opcode that is none', 1002, [wrong({ opcode: 11 })]],
  ['a continuation of nothing', 1002, [wrong({ opcode: 0 })]],
  ['a text in the middle of another', 1002, [wrong({ fin: false }), wrong({})]],
  ['a ping in two', 1002, [wrong({ opcode: 9, fin: false })]],
  ['a ping of 126 bytes', 1002, [wrong({ opcode: 9, payload: Buffer.alloc(126) })]],
  ['a close of one byte', 1002, [wrong({ opcode: 8, payload: Buffer.alloc(1) })]],
  ['a close with a code that is none', 1002, [wrong({ opcode: 8, payload: Buffer.from([0, 5]) })]],
  ['text that is no UTF-8', 1007, [wrong({ payload: invalidUtf8 })]],
  [
    'a close whose reason is no UTF-8',
    1007,
    [wrong({ opcode: 8, payload: Buffer.from([3, 232, 0xc3, 0x28]) })],
  ],
  ['a message longer than 64 KiB by its head', 1009, [wrong({ length: 65_537 })]],
  ['one of 2^53 bytes by its head', 1009, [wrong({ length: Number.MAX_SAFE_INTEGER + 1 })]],
  [
    'one longer than 64 KiB in parts',
    1009,
    [
      wrong({ fin: false, payload: Buffer.alloc(40_000, 'a') }),
      wrong({ opcode: 0, payload: Buffer.alloc(40_000, 'a') }),
    ],
  ],
  [
    'a message in 17 parts',
    1008,
    Array.from({ length: 17 }, (_, index) => wrong({ fin: false, opcode: index ? 0 : 1 })),
  ],
  ['a binary message for a token', 4401, [wrong({ opcode: 2 })]],
];

const frames = fc.record({
  fin: fc.boolean(),
  reserved: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, { arbitrary: fc.nat(7), weight: 1 }),
  opcode: fc.oneof(
    { arbitrary: fc.constantFrom(0, 1, 2, 8, 9, 10), weight: 4 },
    { arbitrary: fc.nat(15), weight: 1 },
  ),
  masked: fc.oneof({ arbitrary: fc.constant(true), weight: 5 }, { arbitrary: fc.boolean(), weight: 1 }),
  payload: fc
    .oneof(
      fc.uint8Array({ maxLength: 140 }),
      fc.constantFrom(
        '{"type":"resume","after":"x"}',
        '{"type":"token","token":"a.b.c"}',
        '[[[[',
        '{"type":{"a":1}}',
        'x'.repeat(70_000),
      ),
    )
    .map((content) => Buffer.from(content)),
});
/** Anything that a broken client may send: frames, bytes, and incomplete frames. */
const streams = fc.oneof(
  {
    arbitrary: fc.array(frames.map(bytesOf), { minLength: 1, maxLength: 5 }).map((all) => Buffer.concat(all)),
    weight: 4,
  },
  { arbitrary: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((all) => Buffer.from(all)), weight: 1 },
  {
    arbitrary: fc.tuple(frames.map(bytesOf), fc.nat(8)).map(([all, cut]) => all.subarray(0, -cut - 1)),
    weight: 1,
  },
);
/** No code, codes of the protocol, and codes of this interface; none is for an internal error. */
const closings = new Set([undefined, 1000, 1002, 1005, 1007, 1009, 4401]);
/** A client's code is echoed. */
const isOrderly = (code: number | undefined) =>
  closings.has(code) ||
  (code !== undefined && ((code > 1_000 && code < 1_004) || (code >= 3_000 && code < 5_000)));

describe('frames (RFC 6455)', () => {
  let tokens: TestTokens;
  let service: ServiceUnderTest;

  beforeAll(async () => {
    tokens = await createTestTokens();
    service = await startService('frames', { tokens, environment: { CLOSE_WAIT_MS: '100' } });
  });
  afterAll(() => service?.close());

  it.each(forbidden)('is closed on %s with %d', async (_case, code, sent) => {
    const raw = await openRaw(service.url);
    raw.send(Buffer.concat(sent.map(bytesOf)));
    expect(await raw.ended).toBe(code);
  });

  it(
    'closes the socket on any invalid bytes, before and after the token, and keeps the others open',
    async () => {
      const other = await connectMember(service, tokens, 77);
      const token = bytesOf(textFrame(await tokenOf(tokens, 78)));
      await fc.assert(
        fc.asyncProperty(streams, fc.boolean(), async (bytes, known) => {
          const raw = await openRaw(service.url);
          if (known) raw.send(token);
          raw.send(bytes);
          // Sockets that were not refused end with the client.
          raw.end();
          const code = await raw.ended;
          expect([code, isOrderly(code)]).toEqual([code, true]);
        }),
        fuzzing(120),
      );
      expect(other.socket.readyState).toBe(WebSocket.OPEN);
      other.send({ type: 'resume', after: 'x' });
      await other.waitFor('reset');
      await until('none of them is left', () => service.context.sockets.registry.size === 1);
    },
    fuzzingMs(30_000),
  );
});
