import { describe, expect, it } from '@jest/globals';
import { createSeal } from '../../../src/keys/seal.ts';
import { openProof, sealProof } from '../../../src/sign-in/login/proof.ts';

const seal = createSeal(['a secret of the unit tests, long enough']);

describe('sealing', () => {
  it('limits a proof to its sign-in, its browser and ten minutes', () => {
    const at = Date.now();
    const after = (seconds: number) => ({ keys: { seal }, clock: () => new Date(at + seconds * 1_000) });
    const proven = { method: 'pwd', authenticated_at: at } as const;
    const here = { browser: 'uid:device', details: { exp: at / 1_000 + 1_800 } };
    const proofOf = (reason: 'reactivate' | 'link') =>
      sealProof({ reason, accounts: ['a'], ...proven }, here, after(0));
    const proof = proofOf('reactivate');
    expect(openProof(proof, here, after(0))).toMatchObject({ accounts: ['a'] });
    for (const browser of ['uid:other', 'other:device'])
      expect(openProof(proof, { browser }, after(0))).toBeUndefined();
    const isOpen = (sealed: string) => (seconds: number) =>
      openProof(sealed, here, after(seconds)) !== undefined;
    expect([599, 600].map(isOpen(proof))).toEqual([true, false]);
    expect([1_799, 1_800].map(isOpen(proofOf('link')))).toEqual([true, false]);
  });
});
