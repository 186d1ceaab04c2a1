import type { Sites } from '@covalence/contract/sites';
import type { AfterResponse } from '@covalence/http/after-response';
import type { Peer } from '@covalence/http/peer';
import type { ServiceBase } from '@covalence/runtime/service-base';
import type { AccountStore } from '../accounts/account-store.ts';
import type { AttemptsStore } from '../accounts/attempts-store.ts';
import type { Seal } from '../keys/seal.ts';
import type { MailAdapter } from './mail-adapter.ts';
import type { MailQueueStore } from './mail-queue-store.ts';

/** Dependencies of mails to members. */
export interface MailContext extends ServiceBase {
  readonly accounts: Pick<AccountStore, 'find'> & { readonly attempts: AttemptsStore };
  readonly mail: MailAdapter & { readonly queue: MailQueueStore };
  readonly keys: { readonly seal: Seal };
  readonly profile: Peer<'profile'>;
  readonly sites: Sites;
  /** Address of this server, the start of every link. */
  readonly issuer: string;
  readonly afterResponse: AfterResponse;
}
