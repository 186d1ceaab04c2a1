import { createDeviceKey, type DeviceKey, type TestProof } from '@covalence/testing/device-key';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createProofCheck, type ProofCheck } from '../src/dpop.ts';

describe('the proof of a bound token', () => {
  let key: DeviceKey;
  let used: Map<string, number>;
  let isAway: boolean;
  let check: ProofCheck;
  beforeAll(async () => {
    key = await createDeviceKey();
  });
  beforeEach(() => {
    used = new Map();
    isAway = false;
    check = createProofCheck({
      namespace: 'test',
      redis: {
        set(name, _value, _unit, seconds) {
          if (isAway) return Promise.reject(new Error('away'));
          const isNew = !used.has(name);
          used.set(name, seconds);
          return Promise.resolve(isNew ? 'OK' : null);
        },
      },
    });
  });

  const htu = 'https://api.example/like';
  const call = () => ({ method: 'POST', urls: [htu], token: 'token', key: key.thumbprint });
  const proofOf = (changes: Partial<TestProof> = {}) =>
    key.prove({ htm: 'POST', htu, token: 'token', ...changes });
  const isTaken = (proof: string) =>
    check(proof, call()).then(
      () => true,
      () => false,
    );

  it('is remembered for longer than it could be used', async () => {
    const proof = await proofOf();
    expect([await isTaken(proof), await isTaken(proof)]).toEqual([true, false]);
    expect([...used.values()]).toEqual([600]);
    // The id is remembered by its hash: it may be long.
    expect([...used.keys()].every((name) => /^test:proof:[\w-]{43}$/.test(name))).toBe(true);
  });

  it('is checked without memory while Redis is away', async () => {
    isAway = true;
    const proof = await proofOf();
    expect([await isTaken(proof), await isTaken(proof)]).toEqual([true, true]);
    expect(await isTaken(await proofOf({ htm: 'GET' }))).toBe(false);
  });

  it('is of one spelling of one address, and of nothing else', async () => {
    const anyUrl = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string());
    await fc.assert(
      fc.asyncProperty(anyUrl, async (other) => {
        const url = URL.parse(other);
        const isSame = url?.origin === 'https://api.example' && /^\/like\/?$/.test(url.pathname);
        expect(await isTaken(await proofOf({ htu: other }))).toBe(isSame);
      }),
      { numRuns: 50 },
    );
    expect(await isTaken(await proofOf({ htu: 'HTTPS://API.example:443/like/?a=1#b' }))).toBe(true);
  });

  it('cannot be changed', async () => {
    const proof = await proofOf();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    await fc.assert(
      fc.asyncProperty(fc.nat(proof.length - 3), fc.nat(63), async (at, index) => {
        const letter = alphabet.charAt(index);
        fc.pre(proof[at] !== letter && proof[at] !== '.');
        expect(await isTaken(proof.slice(0, at) + letter + proof.slice(at + 1))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});
