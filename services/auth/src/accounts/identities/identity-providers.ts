import { jsonText } from '@covalence/runtime/json-text';
import { p256Key } from '@covalence/runtime/private-key';
import { z } from 'zod';

/** Addresses of providers: encrypted, except on this machine. */
const providerUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}, 'must be https');

const providerSchema = z
  .strictObject({
    /** Name in addresses and stored identities; it never changes. */
    id: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and hyphens')
      .refine((id) => id !== 'mail', 'mail is the path of the mailed link'),
    /** The name on the button. */
    name: z.string().min(1).max(40),
    issuer: providerUrl,
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    /** Signs short-lived client secrets, as Apple requires. */
    client_key: z
      .strictObject({ team_id: z.string().min(1), key_id: z.string().min(1), key: p256Key })
      .optional(),
    /** Audiences of the identity tokens that native apps hand in: bundle ids, or client ids at the provider. */
    native_client_ids: z.array(z.string().min(1)).default([]),
    scope: z
      .string()
      .regex(/\bopenid\b/, 'must contain openid')
      .default('openid email'),
    /** Apple requires `form_post` with the scope email. */
    response_mode: z.enum(['query', 'form_post']).default('query'),
    /** Mail domains that the provider runs itself. Its word for an address there is as good as a mail to it. */
    mail_domains: z
      .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain in lower case'))
      .default([]),
    /** The sites that offer it; all by default. */
    sites: z.array(z.int().positive()).min(1).optional(),
  })
  .refine((one) => (one.client_secret === undefined) !== (one.client_key === undefined), {
    path: ['client_secret'],
    error: 'set either client_secret or client_key',
  });

/** An OpenID provider whose accounts sign members in. */
export type IdentityProvider = z.output<typeof providerSchema>;

const providersSchema = z
  .array(providerSchema)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'id must be unique');

/** The setting: the providers as JSON. Its problems name fields, never a secret. */
export const identityProviders = jsonText.pipe(providersSchema);

/** Whether a site offers a provider. Without a site, one that any site offers. */
export const isOffered = ({ sites }: IdentityProvider, siteid: number | undefined): boolean =>
  sites === undefined || siteid === undefined || sites.includes(siteid);
