import type { AlertsContext } from '../alerts/alerts.ts';
import type { DiscoverContext } from '../discover/discover.ts';
import type { MemberData } from '../index/on-member-changed.ts';
import type { JudgmentsContext } from '../judgments/judgments.ts';

/** The dependencies of exports and erasures. */
export interface PrivacyContext extends AlertsContext, DiscoverContext, JudgmentsContext {
  /** The stores whose documents of a member are deleted with the member. */
  readonly memberStores: readonly MemberData[];
}
