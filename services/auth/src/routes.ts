import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import { answerStatus } from '@covalence/http/operations';
import { applyNewUsername, claimNewUsername } from './accounts/names/change-username.ts';
import { changeEmailAddress } from './sign-in/email/change-email.ts';
import { confirmMany, importMany } from './registration/import.ts';
import { readEmailAddress } from './accounts/emails/read-email.ts';
import { check, confirm, reserve } from './registration/reserve.ts';
import {
  notifyAppeal,
  notifyDecision,
  notifyDeletion,
  notifyFraud,
  notifyFraudOver,
  notifyReport,
  notifyRestored,
} from './mail/notices.ts';
import { sendDigestOf } from './mail/send-digest.ts';
import {
  changeDisabled,
  changeRedirects,
  changeSettings,
  checkClient,
  checkReturns,
  listAllClients,
  registerClient,
} from './clients/manage-clients.ts';
import { addNewSecret, retireOldSecret } from './clients/rotate-secret.ts';
import type { Context } from './context.ts';
import { listSigningKeys, rotateSigningKeys } from './keys/manage-keys.ts';
import { erase } from './privacy/erase-account.ts';
import { exportOf } from './privacy/export-account.ts';
import { createNonce } from './sign-in/identities/exchange-token.ts';
import { takeNotice } from './sign-in/identities/provider-notice.ts';
import { deleteSession, listSessions } from './tokens/sessions/manage-sessions.ts';
import { endMemberSessions, signOutMember } from './tokens/sessions/sign-out-everywhere.ts';
import { listAudit, recordCommand, recordElsewhere } from './staff/audit.ts';
import { findMemberAccounts } from './staff/find-accounts.ts';
import { issueToken as issueStaffToken } from './staff/issue-token.ts';
import { showStaffName } from './staff/staff-name.ts';
import {
  changeStaffPassword,
  createStaff,
  disableStaff,
  listStaff,
  readStaffRoles,
  resetStaffFactor,
  setStaffRoles,
} from './staff/manage-staff.ts';
import {
  endAllMemberSessions,
  endMemberSession,
  listMemberSessions,
  recoverMember,
  stopMemberRecovery,
} from './staff/support-members.ts';
import { issue } from './registration/issue-code.ts';

/** Endpoints for apps. public-paths.ts has the hosted pages and the paths of the authorization server. */
export const routes: Routes<Context> = {
  'POST /session/everywhere': signOutMember,
  'GET /sessions': listSessions,
  'DELETE /sessions/:id': deleteSession,
  'GET /staff/audit': listAudit,
  'GET /staff/name': showStaffName,
  'GET /staff/members/:id/sessions': listMemberSessions,
  'DELETE /staff/members/:id/sessions': endAllMemberSessions,
  'DELETE /staff/members/:id/sessions/:sessionid': endMemberSession,
  'POST /staff/members/:id/recovery': recoverMember,
  'DELETE /staff/members/:id/recovery': stopMemberRecovery,
  'POST /identity/nonce': createNonce,
  'POST /identity/notices/:provider': takeNotice,
};

/** Endpoints for other services and the command line; the gateway does not route them. */
export const internalRoutes: InternalRoutes<'auth', Context> = {
  'POST /internal/clients/verify': checkClient,
  'POST /internal/clients/returns': checkReturns,
  'POST /internal/clients/create': registerClient,
  'POST /internal/clients/list': listAllClients,
  'POST /internal/clients/redirects': changeRedirects,
  'POST /internal/clients/settings': changeSettings,
  'POST /internal/clients/secret': addNewSecret,
  'POST /internal/clients/retire-secret': retireOldSecret,
  'POST /internal/clients/disable': changeDisabled,
  'POST /internal/audit': recordElsewhere,
  'POST /internal/audit/commands': recordCommand,
  'POST /internal/staff/create': createStaff,
  'POST /internal/staff/roles': setStaffRoles,
  'POST /internal/staff/factor/reset': resetStaffFactor,
  'POST /internal/staff/list': listStaff,
  'POST /internal/staff/read': readStaffRoles,
  'POST /internal/staff/password': changeStaffPassword,
  'POST /internal/staff/disable': disableStaff,
  'POST /internal/staff/token': issueStaffToken,
  'POST /internal/accounts/find': findMemberAccounts,
  'POST /internal/accounts/check': check,
  'POST /internal/accounts/reserve': reserve,
  'POST /internal/accounts/confirm': confirm,
  'POST /internal/accounts/claim-username': claimNewUsername,
  'POST /internal/accounts/apply-username': applyNewUsername,
  'POST /internal/accounts/change-email': changeEmailAddress,
  'POST /internal/accounts/emails': readEmailAddress,
  'POST /internal/accounts/notify-deletion': notifyDeletion,
  'POST /internal/accounts/notify-decision': notifyDecision,
  'POST /internal/accounts/notify-appeal': notifyAppeal,
  'POST /internal/accounts/notify-report': notifyReport,
  'POST /internal/accounts/notify-restored': notifyRestored,
  'POST /internal/accounts/notify-fraud': notifyFraud,
  'POST /internal/accounts/notify-fraud-over': notifyFraudOver,
  'POST /internal/accounts/send-digest': sendDigestOf,
  'POST /internal/accounts/import': importMany,
  'POST /internal/accounts/import/confirm': confirmMany,
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
  'POST /internal/codes': issue,
  'POST /internal/keys/list': listSigningKeys,
  'POST /internal/sessions/end': endMemberSessions,
  'POST /internal/keys/rotate': rotateSigningKeys,
  'POST /internal/operations/status': answerStatus,
};
