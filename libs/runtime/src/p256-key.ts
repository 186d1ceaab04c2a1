import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** A private key of the curve P-256 in PEM, as Apple's .p8 files have it. Its problem does not quote the text. */
export const p256Key = z.string().transform((pem, context): KeyObject => {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Reported below, without the text of the key.
  }
  context.addIssue({ code: 'custom', message: 'must be a private key of the curve P-256 in PEM' });
  return z.NEVER;
});
