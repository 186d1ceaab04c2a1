import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.ts';

/** Matches one namespace, in the pattern language of the store. */
type AnyNamespace = '*' | '[^.]+';

/**
 * The users of the services as `config/stores` has them, for an engine of this machine: with one password, which is the
 * engine's own, and for the data of every namespace, because test runs share engines.
 */
export function serviceUsers(file: string, password: string, anyNamespace: AnyNamespace): string {
  return readFileSync(join(root, 'config/stores', file), 'utf8')
    .replaceAll(/\{\{password [^{}]*\}\}/g, password)
    .replaceAll(/covalence(?=[:\\])/g, anyNamespace);
}

/** The address of an engine for one of its users. */
export function addressFor(user: string, url: string): string {
  const address = new URL(url);
  address.username = user;
  return address.href;
}
