import { internalCallers, type InternalCaller } from '@covalence/contract/internal/callers';
import { randomBytes } from 'node:crypto';
import { CommandError } from '@covalence/runtime/command-error';
import { publicKeysOf } from '@covalence/stack/services/credentials';
import { newServiceSecrets } from '@covalence/stack/services/instance';

/** Fills templates of settings with new keys and passwords. A name stands for the same value in every template. */
export type FillTemplate = (template: string) => string;

const isCaller = (name: string): name is InternalCaller =>
  (internalCallers as readonly string[]).includes(name);

/**
 * Creates the credentials of one system. `{{password NAME}}` becomes 64 hexadecimal digits, `{{key CALLER}}` the private key of
 * a caller and `{{public-keys}}` the public keys of all callers. The function throws a CommandError for any other placeholder.
 */
export function createTemplateFiller(): FillTemplate {
  const secrets = newServiceSecrets();
  const passwords = new Map<string, string>();
  const passwordOf = (name: string): string => {
    const password = passwords.get(name) ?? randomBytes(32).toString('hex');
    passwords.set(name, password);
    return password;
  };
  const valueOf = (placeholder: string): string => {
    const [kind, name = '', ...rest] = placeholder.split(' ');
    if (kind === 'public-keys' && !name) return publicKeysOf(secrets);
    if (kind === 'password' && name && !rest.length) return passwordOf(name);
    if (kind === 'key' && isCaller(name)) return secrets[name];
    throw new CommandError(`'{{${placeholder}}}' is no placeholder that pnpm covalence credentials knows.`);
  };
  return (template) =>
    template.replaceAll(/\{\{([^{}]*)\}\}/g, (_whole, placeholder: string) => valueOf(placeholder));
}
