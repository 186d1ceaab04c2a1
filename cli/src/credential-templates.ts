import { internalCallers, type InternalCaller } from '@covalence/contract/peers/callers';
import { randomBytes } from 'node:crypto';
import { CommandError } from '@covalence/runtime/command-error';
import { publicKeysOf } from '@covalence/stack/services/credentials';
import { newServiceSecrets } from '@covalence/stack/services/instance';

/** Fills a template with new keys and passwords; a name has the same value in every template. */
type FillTemplate = (template: string) => string;

/** Whether a name is that of a caller. */
export const isCaller = (name: string): name is InternalCaller =>
  (internalCallers as readonly string[]).includes(name);

/**
 * Creates the credentials of one system. `{{password NAME}}` becomes 64 hexadecimal digits, `{{key CALLER}}` the private
 * key of a caller, `{{public-keys}}` all public keys. Throws a CommandError for other placeholders.
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
    throw new CommandError(`'{{${placeholder}}}' is not a placeholder of covalence credentials fill.`);
  };
  return (template) =>
    template.replaceAll(/\{\{([^{}]*)\}\}/g, (_whole, placeholder: string) => valueOf(placeholder));
}
