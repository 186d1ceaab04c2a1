import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName, SecurityLog } from '@covalence/runtime/security-events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { createEnvelopes, type Envelopes } from '../families/envelope.ts';
import { createRefreshRotation } from '../families/refresh-rotation.ts';
import type { SessionsContext } from '../sessions/member-sessions.ts';
import type { ProviderDependencies } from './dependencies.ts';
import { finishResponses } from './responses.ts';
import { createProvider } from './provider.ts';
import { stateOf } from './request-state.ts';

/** oidc-provider with the current keys. */
export interface CurrentServer {
  readonly provider: Provider;
  readonly envelopes: Envelopes;
  /** Handles a request for one of the provider's paths. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Security events by the provider's error details. */
const eventOf: Readonly<Record<string, SecurityEventName>> = {
  'authorization code already consumed': 'code_reused',
  'refresh token already used': 'refresh_token_reused',
  'client not found': 'client_refused',
  'invalid secret provided': 'client_refused',
  'a client of staff': 'client_refused',
};

/** Records wrong client credentials and reused codes and refresh tokens. */
function recordRefusals(provider: Provider, security: SecurityLog): void {
  const record = (context: KoaContextWithOIDC, error: errors.OIDCProviderError): void => {
    const name = eventOf[error.error_detail ?? ''];
    if (!name) return;
    const member = stateOf(context.req).family?.account_id;
    security.record(name, {
      member,
      client: context.oidc.client?.clientId,
      address: addressKey(context.ip),
    });
  };
  provider.on('grant.error', record);
  provider.on('revocation.error', record);
}

/** Creates the authorization server. Its provider is created again when the keys change. */
export function createAuthorizationServer(
  dependencies: Omit<ProviderDependencies, 'envelopes' | 'rotation'>,
) {
  const { keys, issuer, clock, security } = dependencies;
  const rotation = createRefreshRotation(dependencies);
  let version = '';
  let built: CurrentServer | undefined;
  return {
    /** Rejects while the keys cannot be read. */
    async current(): Promise<CurrentServer> {
      const set = await keys.ring.current();
      if (built && version === set.version) return built;
      const envelopes = createEnvelopes(set, issuer, clock);
      const all = { ...dependencies, rotation, envelopes };
      const provider = createProvider(all, set);
      finishResponses(provider, all);
      recordRefusals(provider, security);
      built = { provider, envelopes, handle: provider.callback() };
      version = set.version;
      return built;
    },
  };
}

/** The authorization server of this process. */
export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;

/** Dependencies of the sign-ins that the server knows. */
export interface ServerContext extends SessionsContext {
  readonly tokens: SessionsContext['tokens'] & { readonly server: AuthorizationServer };
  /** Address of the API. */
  readonly audience: string;
}
