import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { appleRoots } from '../../../src/stores/app-store/app-store-apps.ts';

/** The certificates that the App Store signs with, as Apple's library publishes them in its own tests. */
const library = dirname(createRequire(import.meta.url).resolve('@apple/app-store-server-library'));
const published = readFileSync(join(library, 'tests/unit-tests/jws_verification.test.js'), 'utf8');
const certificate = (name: string): X509Certificate => {
  const [, text = ''] = new RegExp(`REAL_APPLE_${name}_BASE64_ENCODED = "([^"]+)"`).exec(published) ?? [];
  return new X509Certificate(Buffer.from(text, 'base64'));
};

describe('the root certificate that ships', () => {
  it('is the one above the certificate that the App Store signs with', () => {
    const [raw] = appleRoots();
    const root = new X509Certificate(raw ?? Buffer.alloc(0));
    expect(root.fingerprint256).toBe(certificate('ROOT').fingerprint256);
    const intermediate = certificate('INTERMEDIATE');
    const signing = certificate('SIGNING_CERTIFICATE');
    expect(intermediate.verify(root.publicKey)).toBe(true);
    expect(signing.verify(intermediate.publicKey)).toBe(true);
    expect(signing.subject).toContain('App Store');
  });
});
