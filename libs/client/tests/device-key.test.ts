import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { createHash } from 'node:crypto';
import { createDeviceKey, serverTime, type KeyStorage } from '../src/device-key.ts';
import { createSession } from '../src/session.ts';
import { memoryStorage } from '../src/tokens.ts';

function memoryKeys(): KeyStorage {
  let stored: CryptoKeyPair | undefined;
  return {
    read: () => Promise.resolve(stored),
    add: (keys) => Promise.resolve(void (stored ??= keys)),
  };
}

const verified = (proof: string) => jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'] });

describe('the key of a device', () => {
  it('signs proofs of a call, which any JOSE library verifies, with one stored key', async () => {
    const storage = memoryKeys();
    const call = { method: 'POST', url: 'https://api.example/like?a=1#b', accessToken: 'token', at: 5_999 };
    const proofs = [createDeviceKey(storage), createDeviceKey(storage)].map((key) => key.prove(call));
    const [first, second] = await Promise.all(proofs).then((all) => Promise.all(all.map(verified)));
    expect(first?.payload).toEqual({
      jti: expect.any(String),
      htm: 'POST',
      htu: 'https://api.example/like',
      iat: 5,
      ath: createHash('sha256').update('token').digest('base64url'),
    });
    expect(second?.payload['jti']).not.toBe(first?.payload['jti']);
    const { jwk } = first?.protectedHeader ?? {};
    expect(Object.keys(jwk ?? {}).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    const keys = await storage.read();
    expect(keys?.privateKey.extractable).toBe(false);
    const third = await verified(await createDeviceKey(storage).prove(call));
    expect(await calculateJwkThumbprint(third.protectedHeader.jwk ?? { kty: 'EC' })).toBe(
      await calculateJwkThumbprint(second?.protectedHeader.jwk ?? { kty: 'EC' }),
    );
  });

  it('is made when the storage works again', async () => {
    const storage = memoryKeys();
    let isAway = true;
    const read = () => (isAway ? Promise.reject(new Error('no database')) : storage.read());
    const key = createDeviceKey({ ...storage, read });
    const call = { method: 'GET', url: 'https://api.example/' };
    await expect(key.prove(call)).rejects.toThrow('no database');
    isAway = false;
    expect((await verified(await key.prove(call))).payload['htm']).toBe('GET');
  });

  it('counts time as the server does, whatever the clock of the device says', () => {
    const claims = Buffer.from(JSON.stringify({ exp: 10_000 })).toString('base64url');
    const tokens = { access_token: `e30.${claims}.AA`, refresh_token: 'r', expires_at: 9_000_000 };
    expect(serverTime(tokens) - Date.now()).toBeGreaterThan(999_000);
    expect(serverTime({ ...tokens, access_token: 'opaque' }) - Date.now()).toBeLessThan(1_000);
  });

  it('repeats a refresh with the nonce that the server asks for, and uses it from then on', async () => {
    const nonces: unknown[] = [];
    const tokens = { access_token: 'fresh', refresh_token: 'r2', expires_in: 1_800 };
    const session = createSession({
      authUrl: 'https://auth.example',
      clientId: 'app',
      storage: memoryStorage({ access_token: 'old', refresh_token: 'r1', expires_at: 0 }),
      deviceKey: createDeviceKey(memoryKeys()),
      async fetch(_url, options) {
        const { payload } = await verified(new Headers(options?.headers).get('DPoP') ?? '');
        nonces.push(payload['nonce']);
        return nonces.length === 1
          ? Response.json({ error: 'use_dpop_nonce' }, { status: 400, headers: { 'DPoP-Nonce': 'n1' } })
          : Response.json(tokens);
      },
    });
    await session.refresh('old');
    await session.refresh('fresh');
    expect(nonces).toEqual([undefined, 'n1', 'n1']);
  });
});
