import type { Sites } from '@covalence/contract/sites';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { StaffSecondFactor } from '../../accounts/second-factors.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Envelopes } from '../families/envelope.ts';
import type { RefreshRotation } from '../families/refresh-rotation.ts';
import type { SessionsContext } from '../sessions/member-sessions.ts';

/** Pages that the provider shows. */
export interface ProviderPages {
  /** An error that cannot be returned to the client: unknown client, unregistered redirect_uri. */
  readonly error: (
    context: KoaContextWithOIDC,
    out: { readonly error: string; readonly error_description?: string | undefined },
  ) => void;
  readonly signOut: (context: KoaContextWithOIDC, form: string) => Promise<void>;
  readonly signedOut: (context: KoaContextWithOIDC) => void;
}

/** Dependencies of the provider. */
export interface ProviderDependencies extends SessionsContext {
  readonly keys: SessionsContext['keys'] & { readonly ring: KeyRing };
  /** Address of the API: `aud`. The console is on its origin. */
  readonly audience: string;
  /** Whether staff need a second factor. */
  readonly secondFactor: StaffSecondFactor;
  readonly sites: Sites;
  readonly identities: { readonly providers: ReadonlyMap<string, unknown> };
  readonly pages: ProviderPages;
  readonly rotation: RefreshRotation;
  readonly envelopes: Envelopes;
}
