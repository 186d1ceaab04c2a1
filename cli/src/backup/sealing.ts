import { CommandError } from '@covalence/runtime/command-error';
import { Decrypter, Encrypter } from 'age-encryption';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Compresses and encrypts the files of backups. */
export type Sealing = ReturnType<typeof createSealing>;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The first bytes of every file that age wrote. */
const ageHeader = Buffer.from('age-encryption.org/');

/**
 * Encrypts for the public keys with age, so that a process that makes backups cannot read older ones; without keys, files are
 * only compressed. `age --decrypt | gunzip` reads what it writes.
 */
export function createSealing(recipients: readonly string[], identities: readonly string[]) {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);

  const decrypted = async (bytes: Uint8Array): Promise<Uint8Array> => {
    if (!ageHeader.equals(bytes.subarray(0, ageHeader.length))) return bytes;
    if (!identities.length)
      throw new CommandError('The backup is encrypted: set BACKUP_IDENTITIES to its private key.');
    return decrypter.decrypt(bytes).catch(() => {
      throw new CommandError('BACKUP_IDENTITIES has no key of this backup, or a file of it was changed.');
    });
  };

  return {
    isEncrypted: recipients.length > 0,
    async seal(bytes: Uint8Array): Promise<Uint8Array> {
      const small = await compress(bytes);
      return recipients.length ? encrypter.encrypt(small) : small;
    },
    open: async (bytes: Uint8Array): Promise<Uint8Array> => decompress(await decrypted(bytes)),
  };
}
