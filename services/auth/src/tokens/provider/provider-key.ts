import { ExternalSigningKey } from 'oidc-provider';
import type { KeyObject } from 'node:crypto';
import { signEs256 } from '../../keys/algorithms.ts';
import type { SigningKey } from '../../keys/key-ring.ts';

/** A signing key for oidc-provider. Signing here, and not by Web Crypto, saves a thread switch per token. */
export class ProviderKey extends ExternalSigningKey {
  readonly #key: SigningKey;

  constructor(key: SigningKey) {
    super();
    this.#key = key;
  }

  override get kid(): string {
    return this.#key.kid;
  }

  override get alg(): string {
    return 'ES256';
  }

  override keyObject(): KeyObject {
    return this.#key.publicKey;
  }

  override sign(data: Uint8Array): Buffer {
    return signEs256(Buffer.from(data), this.#key.privateKey);
  }
}
