import type { Seal } from '../../keys/seal.ts';

const uuidBytes = 16;

/**
 * The UUID (version 8) of the member that a form registers. The same form in the same browser has the same one, so that a form
 * that is sent again finds its own member. Nobody else can compute it.
 */
export function memberIdOf(form: readonly unknown[], seal: Seal): string {
  const bytes = Buffer.from(seal.mac('new-member', JSON.stringify(form)), 'base64url').subarray(0, uuidBytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
