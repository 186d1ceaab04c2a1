import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** False values that the authenticator sends. */
export interface AuthenticatorLies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly id?: string;
  /** The member was not verified. */
  readonly isUnverified?: boolean;
  /** Says that the passkey cannot be backed up. */
  readonly isDeviceBound?: boolean;
  /** Signs with another key. */
  readonly isForged?: boolean;
}

/** Options as a page hands them to the browser. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id: string };
}

/** A passkey that the authenticator keeps. */
export interface SoftwarePasskey {
  readonly id: string;
  readonly userHandle: string;
  readonly key: KeyObject;
  counter: number;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const flag = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

const coordinate = (label: number, value: string) =>
  Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]);

/** COSE key of a P-256 key (RFC 9053, 7.1.1), as CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from('a5010203262001', 'hex'), coordinate(0x21, x), coordinate(0x22, y)]);
}

const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** CBOR of an attestation "none" around the data. */
function attestationObject(data: Buffer): Buffer {
  const length = Buffer.from([0x59, data.length >> 8, data.length & 255]);
  const parts = [
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    length,
    data,
  ];
  return Buffer.concat([Buffer.from([0xa3]), ...parts]);
}

const authenticatorData = (rpId: string, flags: number, counter: number, lies: AuthenticatorLies) => {
  const head = Buffer.alloc(5);
  const kind = lies.isDeviceBound ? 0 : flag.backupEligible | flag.backedUp;
  const given = flags | flag.present | kind;
  head.writeUInt8(lies.isUnverified ? given : given | flag.verified, 0);
  head.writeUInt32BE(lies.counter ?? counter, 1);
  return Buffer.concat([sha256(lies.rpId ?? rpId), head]);
};

/** A credential as browsers write it in JSON. */
const credential = (id: string, response: object) =>
  JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });

/**
 * An authenticator in software (WebAuthn, ES256, attestation "none"), with the browser around it. It takes the options of a
 * page as JSON, and answers with the JSON that browsers make. It can lie.
 */
export function createSoftwareAuthenticator(origin: string) {
  const clientData = (type: string, { challenge }: Options, lies: AuthenticatorLies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  return {
    /** Makes a passkey, as `navigator.credentials.create` does. */
    create(json: string, lies: AuthenticatorLies = {}): { passkey: SoftwarePasskey; answer: string } {
      const options = JSON.parse(json) as Options;
      const { privateKey, publicKey } = newKeys();
      const rawId = lies.id === undefined ? randomBytes(32) : Buffer.from(lies.id, 'base64url');
      const id = rawId.toString('base64url');
      const length = Buffer.from([0, rawId.length]);
      const data = Buffer.concat([
        authenticatorData(options.rp?.id ?? '', flag.attested, 0, lies),
        Buffer.alloc(16),
        length,
        rawId,
        coseKey(publicKey),
      ]);
      const answer = credential(id, {
        clientDataJSON: clientData('webauthn.create', options, lies).toString('base64url'),
        attestationObject: attestationObject(data).toString('base64url'),
        transports: ['internal', 'hybrid'],
      });
      return { passkey: { id, userHandle: options.user?.id ?? '', key: privateKey, counter: 0 }, answer };
    },
    /** Signs in with a passkey, as `navigator.credentials.get` does. */
    get(json: string, passkey: SoftwarePasskey, lies: AuthenticatorLies = {}): string {
      const options = JSON.parse(json) as Options;
      const client = clientData('webauthn.get', options, lies);
      const data = authenticatorData(options.rpId ?? '', 0, passkey.counter, lies);
      const key = lies.isForged ? newKeys().privateKey : passkey.key;
      return credential(lies.id ?? passkey.id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), key).toString('base64url'),
        userHandle: lies.userHandle ?? passkey.userHandle,
      });
    },
  };
}
