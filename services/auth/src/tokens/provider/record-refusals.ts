import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName, SecurityLog } from '@covalence/runtime/security-events';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { stateOf } from './request-state.ts';

/** Security events by the provider's error details. */
const eventOf: Readonly<Record<string, SecurityEventName>> = {
  'authorization code already consumed': 'code_reused',
  'refresh token already used': 'refresh_token_reused',
  'client not found': 'client_refused',
  'invalid secret provided': 'client_refused',
};

/** Records wrong client credentials and reused codes and refresh tokens. */
export function recordRefusals(provider: Provider, security: SecurityLog): void {
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
