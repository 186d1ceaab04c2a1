import type { Logger } from '@covalence/runtime/logger';
import type { SecurityLog } from '@covalence/runtime/security-events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { KeyRing } from '../../keys/key-ring.ts';
import { finishAnswers } from './answers.ts';
import { createEnvelopes, type Envelopes } from '../envelope.ts';
import { createProvider, type ProviderDependencies } from './provider.ts';
import { recordRefusals } from './record-refusals.ts';

/** oidc-provider with the keys in force. */
export interface Authorization {
  readonly provider: Provider;
  readonly envelopes: Envelopes;
  /** Answers a request for one of the provider's own paths. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** The authorization server of this process. */
export interface Oidc {
  /** With today's keys; rejects while they cannot be read. */
  current(): Promise<Authorization>;
}

interface Dependencies extends Omit<ProviderDependencies, 'envelopes'> {
  readonly logger: Logger;
  readonly security: SecurityLog;
}

/** Creates the authorization server; its provider is built anew whenever the keys change. */
export function createOidc(keyRing: KeyRing, dependencies: Dependencies): Oidc {
  let version = '';
  let built: Authorization | undefined;
  return {
    async current() {
      const keys = await keyRing.current();
      if (built && version === keys.version) return built;
      const envelopes = createEnvelopes(keys, dependencies.issuer, dependencies.now);
      const provider = createProvider({ ...dependencies, envelopes }, keys);
      finishAnswers(provider, { ...dependencies, envelopes });
      recordRefusals(provider, dependencies.security);
      const handle = provider.callback();
      built = { provider, envelopes, handle };
      version = keys.version;
      return built;
    },
  };
}
