import type { OperatorGroup } from '../operator-command.ts';
import { accountActions } from '../staff/accounts.ts';
import { appealActions } from '../staff/appeals.ts';
import { approvalActions } from '../staff/approvals.ts';
import { audit } from '../staff/audit.ts';
import { banActions } from '../staff/bans.ts';
import { decisionActions } from '../staff/decisions.ts';
import { evidenceActions } from '../staff/evidence.ts';
import { memberActions } from '../staff/members.ts';
import { membershipActions } from '../staff/memberships.ts';
import { queueActions } from '../staff/queue.ts';
import { scamActions } from '../staff/scam-signals.ts';
import { signInActions } from '../staff/sign-ins.ts';
import { transparency } from '../staff/transparency.ts';

/** `covalence staff`. */
export const staff: OperatorGroup = {
  name: 'staff',
  caller: 'staff-cli',
  services: ['auth', 'profile', 'billing'],
  help: 'staff accounts, and the moderation work of Customer Service (docs/moderation.md)',
  actions: {
    ...accountActions,
    ...queueActions,
    ...memberActions,
    ...evidenceActions,
    ...signInActions,
    ...decisionActions,
    ...banActions,
    ...scamActions,
    transparency,
    ...approvalActions,
    ...appealActions,
    ...membershipActions,
    audit,
  },
};
