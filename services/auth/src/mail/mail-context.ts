import type { Sites } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import type { Seal } from '../keys/seal.ts';
import { pageSetting, type PageSetting } from '../localization/presentation.ts';
import type { MailAdapter } from './mail-adapter.ts';

/** What writing to members needs. */
export interface MailContext {
  readonly accounts: AccountStore;
  /** Knows what members read. */
  readonly profile: Peer;
  readonly mail: MailAdapter;
  readonly seal: Seal;
  readonly sites: Sites;
  /** Address of this server, which links begin with. */
  readonly issuer: string;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Language and site of a message to a member, and of the page that it leads to: the language that is wanted, else the site's. */
export function mailSetting({ siteid }: Account, sites: Sites, locale: string | undefined): PageSetting {
  return pageSetting({ siteid, locale }, sites);
}
