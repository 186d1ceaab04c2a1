import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** The private key in a PEM text; undefined where there is none. */
export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** A private key of the curve P-256 in PEM, as Apple's .p8 files have it. Its problem does not quote the text. */
export const p256Key = z.string().transform((pem, context): KeyObject => {
  const key = readPrivateKey(pem);
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  context.addIssue({ code: 'custom', message: 'must be a private key of the curve P-256 in PEM' });
  return z.NEVER;
});
