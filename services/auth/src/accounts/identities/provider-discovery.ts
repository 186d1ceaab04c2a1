import { hourMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { shareRecent } from '@covalence/runtime/share-recent';
import { createRemoteJWKSet, customFetch as joseFetch, SignJWT } from 'jose';
import * as oauth from 'openid-client';
import type { IdentityProvider } from './identity-providers.ts';
import { answerSeconds, limitedFetch } from './provider-requests.ts';

/** Time for which discovered addresses of a provider are used. */
const discoveryMs = hourMs;

/** A client secret of five minutes: a JWT signed with the client's key, as Apple requires. */
function signedSecret({ client_key, issuer }: IdentityProvider, sub: string, now: Date): Promise<string> {
  if (!client_key) throw new Error('a provider without client_key');
  const iat = Math.floor(now.getTime() / 1000);
  return new SignJWT({ iss: client_key.team_id, sub, aud: issuer, iat, exp: iat + 300 })
    .setProtectedHeader({ alg: 'ES256', kid: client_key.key_id })
    .sign(client_key.key);
}

/** Creates the look-up of a provider's addresses and keys, which are discovered when they are needed. */
export function createProviderDiscovery(provider: IdentityProvider, clock: Clock) {
  // Only addresses of this machine are unencrypted.
  const isInsecure = provider.issuer.startsWith('http:');

  const discover = async () => {
    const configuration = await oauth.discovery(
      new URL(provider.issuer),
      provider.client_id,
      undefined,
      oauth.None(),
      {
        ...(isInsecure && { execute: [oauth.allowInsecureRequests] }),
        [oauth.customFetch]: limitedFetch,
        timeout: answerSeconds,
      },
    );
    const { jwks_uri = '' } = configuration.serverMetadata();
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: answerSeconds * 1000,
      cooldownDuration: 5_000,
      [joseFetch]: limitedFetch,
    });
    return { configuration, keys };
  };
  const current = shareRecent(discoveryMs, discover, () => clock().getTime());

  return {
    /** Discovers once an hour; a failure is tried again by the next request. */
    current,
    /** The provider as one of our clients there talks to it. */
    configurationFor: async (clientId: string): Promise<oauth.Configuration> => {
      const server = (await current()).configuration.serverMetadata();
      const secret = provider.client_secret ?? (await signedSecret(provider, clientId, clock()));
      const configuration = new oauth.Configuration(server, clientId, secret);
      if (isInsecure) oauth.allowInsecureRequests(configuration);
      configuration[oauth.customFetch] = limitedFetch;
      configuration.timeout = answerSeconds;
      return configuration;
    },
  };
}
