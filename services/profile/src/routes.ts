import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import { listActivity, resetActivity, showActivity } from './pairs/views/activity.ts';
import { listDeleteReasons, listQuestions } from './members/questions.ts';
import { recordAffiliateHit, recordAffiliateHitByLink } from './affiliates/affiliates.ts';
import type { Context } from './context.ts';
import { checkMany, importMany } from './members/registration/import-members.ts';
import {
  localeOfMember,
  settlePending,
  stateOfMember,
  reactivate,
  takeMembershipEndpoint,
} from './members/member-state.ts';
import { recipientsOfPresence } from './pairs/views/presence-recipients.ts';
import { alertOf, stopDigestOf } from './members/notifications/service-calls.ts';
import { changeSettings, showSettings } from './members/notifications/settings.ts';
import { addDevice, addId, endPushOf, removeDevices } from './members/push-devices.ts';
import { closeReport, report } from './moderation/reports/report.ts';
import { listOwnDecisions } from './moderation/appeals/own-decisions.ts';
import { appealDecision, appealOf, appealOnPage, appealReport } from './moderation/appeals/file-appeal.ts';
import { approveRequest, refuseRequest } from './moderation/approvals/decide-approval.ts';
import { listApprovals } from './moderation/approvals/list-approvals.ts';
import { requestRefund } from './moderation/approvals/request-refund.ts';
import { countViewElsewhere } from './moderation/open-member.ts';
import { grantAppeal, refuseAppeal } from './moderation/appeals/decide-appeal.ts';
import { listAppeals } from './moderation/appeals/list-appeals.ts';
import { transparencyReport } from './moderation/transparency/report.ts';
import { listOwnReports } from './moderation/reports/own-reports.ts';
import { approvePhoto, rejectPhoto } from './moderation/decisions/decide-photo.ts';
import {
  approve,
  reject,
  remove,
  suspend,
  undelete,
  unsuspend,
} from './moderation/decisions/decide-member.ts';
import { approveText, rejectText } from './moderation/decisions/decide-text.ts';
import { undoDecision } from './moderation/decisions/undo-decision.ts';
import { listEvidence, showEvidence } from './moderation/reports/show-evidence.ts';
import { history, showMember } from './moderation/views/show-member.ts';
import { findMembers } from './moderation/views/find-members.ts';
import { claimEntry, releaseEntry } from './moderation/queue/claim-entry.ts';
import { decideMany } from './moderation/decisions/decide-many.ts';
import { addNote, listNotes } from './moderation/views/notes.ts';
import { listReasons } from './moderation/decisions/list-reasons.ts';
import { listBans, removeBan } from './moderation/decisions/list-bans.ts';
import { queue } from './moderation/queue/queue.ts';
import { summary } from './moderation/queue/summary.ts';
import { dismissSignals } from './moderation/signals/dismiss-signals.ts';
import { listScamFlags } from './moderation/signals/list-flags.ts';
import { scamPrecision } from './moderation/signals/precision.ts';
import { deleteDeadLetter, listDeadLetters, replayDeadLetters } from './operations/dead-letters.ts';
import { operationsOf, showOperations } from './operations/show-operations.ts';
import { deleteMessage, deleteThread, markRead, readThread, listThreads } from './messages/thread.ts';
import { targetsOfPush } from './messages/push-targets.ts';
import { sendMessage } from './messages/send-message.ts';
import { block, unblock, pass, decline, like, unlike } from './pairs/interest.ts';
import { sharePhotos } from './pairs/share-photos.ts';
import { viewProfile, viewSelf } from './pairs/views/view-profile.ts';
import {
  deletePhoto,
  deletePhotoByParameter,
  makePrimary,
  updatePhotoOrder,
} from './photos/change-photos.ts';
import { listPhotos } from './photos/list-photos.ts';
import { uploadPhoto } from './photos/upload-photo.ts';
import { deleteSelf } from './privacy/delete-self.ts';
import { exportSelf } from './privacy/export-self.ts';
import { register, registerOnPage } from './members/registration/register.ts';
import { projectionsBetween, projectionsByIds } from './record/projection.ts';
import { viewerOfSearch, searchPage } from './pairs/views/search.ts';
import { updateSelf } from './members/update/update-self.ts';

/** Routes for clients, through the gateway. GET /photos/{file} is mounted separately, because it sends files. */
export const publicRoutes: Routes<Context> = {
  'POST /members': register,
  'POST /members/self': updateSelf,
  'DELETE /members/self': deleteSelf,
  'GET /members/self/export': exportSelf,
  'GET /recordaffiliatehit': recordAffiliateHitByLink,
  'POST /recordaffiliatehit': recordAffiliateHit,
  'GET /users/self': viewSelf,
  'GET /users/:profileid': viewProfile,
  'GET /questions': listQuestions,
  'GET /reasons/profile/delete': listDeleteReasons,
  'POST /like': like,
  'POST /unlike': unlike,
  'POST /decline': decline,
  'POST /block': block,
  'POST /unblock': unblock,
  'GET /photo': listPhotos,
  'POST /photo': uploadPhoto,
  'DELETE /photo': deletePhotoByParameter,
  'POST /photo/primary': makePrimary,
  'DELETE /photo/:photoid': deletePhoto,
  'POST /updatephotoorder': updatePhotoOrder,
  'POST /report': report,
  'POST /pass': pass,
  'GET /messages': listThreads,
  'POST /messages': sendMessage,
  'GET /messages/:profileid': readThread,
  'DELETE /messages/:profileid': deleteThread,
  'POST /messages/:profileid/read': markRead,
  'DELETE /messages/:profileid/:messageid': deleteMessage,
  'POST /members/self/photosharing': sharePhotos,
  'GET /members/self/reports': listOwnReports,
  'POST /members/self/reports/:profileid/appeal': appealReport,
  'GET /members/self/decisions': listOwnDecisions,
  'POST /members/self/decisions/:decisionid/appeal': appealDecision,
  'GET /members/self/activity': showActivity,
  'GET /members/self/activity/:page': listActivity,
  'POST /members/self/activity/reset/:page': resetActivity,
  'GET /notifications/settings': showSettings,
  'PATCH /notifications/settings': changeSettings,
};

/** Routes for the staff client, through the gateway. */
export const staffRoutes: Routes<Context> = {
  'GET /staff/queue': queue,
  'GET /staff/queue/summary': summary,
  'POST /staff/queue/claim': claimEntry,
  'POST /staff/queue/release': releaseEntry,
  'POST /staff/queue/decide': decideMany,
  'POST /staff/members/search': findMembers,
  'GET /staff/reasons': listReasons,
  'GET /staff/members/:id': showMember,
  'GET /staff/members/:id/history': history,
  'GET /staff/members/:id/notes': listNotes,
  'POST /staff/members/:id/notes': addNote,
  'GET /staff/members/:id/evidence': listEvidence,
  'GET /staff/evidence/:evidenceid': showEvidence,
  'POST /staff/members/:id/approve': approve,
  'POST /staff/members/:id/reject': reject,
  'POST /staff/members/:id/suspend': suspend,
  'POST /staff/members/:id/unsuspend': unsuspend,
  'POST /staff/members/:id/delete': remove,
  'POST /staff/members/:id/undelete': undelete,
  'POST /staff/members/:id/dismiss-signals': dismissSignals,
  'POST /staff/members/:id/texts/:field/approve': approveText,
  'POST /staff/members/:id/texts/:field/reject': rejectText,
  'POST /staff/photos/:photoid/approve': approvePhoto,
  'POST /staff/photos/:photoid/reject': rejectPhoto,
  'POST /staff/reports/:reportid/close': closeReport,
  'POST /staff/decisions/:decisionid/undo': undoDecision,
  'GET /staff/appeals': listAppeals,
  'POST /staff/appeals/:appealid/grant': grantAppeal,
  'POST /staff/appeals/:appealid/refuse': refuseAppeal,
  'GET /staff/transparency': transparencyReport,
  'GET /staff/approvals': listApprovals,
  'POST /staff/approvals/:approvalid/approve': approveRequest,
  'POST /staff/approvals/:approvalid/refuse': refuseRequest,
  'GET /staff/scam-signals': listScamFlags,
  'GET /staff/scam-signals/precision': scamPrecision,
  'GET /staff/bans': listBans,
  'DELETE /staff/bans/:banid': removeBan,
  'GET /staff/operations': showOperations,
  'GET /staff/operations/dead-letters': listDeadLetters,
  'POST /staff/operations/dead-letters/replay': replayDeadLetters,
  'DELETE /staff/operations/dead-letters/:queue/:letterid': deleteDeadLetter,
};

/** Routes for other services; the gateway never routes them. */
export const internalRoutes: InternalRoutes<'profile', Context> = {
  'POST /internal/members/state': stateOfMember,
  'POST /internal/members/locale': localeOfMember,
  'POST /internal/members/register': registerOnPage,
  'POST /internal/members/alert': alertOf,
  'POST /internal/members/reactivate': reactivate,
  'POST /internal/members/settle': settlePending,
  'POST /internal/members/import': importMany,
  'POST /internal/members/import/check': checkMany,
  'POST /internal/decisions/appeal/read': appealOf,
  'POST /internal/decisions/appeal': appealOnPage,
  'POST /internal/approvals/refund': requestRefund,
  'POST /internal/staff/view': countViewElsewhere,
  'POST /internal/memberships/take': takeMembershipEndpoint,
  'POST /internal/push/add': addDevice,
  'POST /internal/push/add-id': addId,
  'POST /internal/push/remove': removeDevices,
  'POST /internal/push/end': endPushOf,
  'POST /internal/push/targets': targetsOfPush,
  'POST /internal/notifications/stop-digest': stopDigestOf,
  'POST /internal/presence/recipients': recipientsOfPresence,
  'POST /internal/records': searchPage,
  'POST /internal/viewers': viewerOfSearch,
  'POST /internal/projections': projectionsByIds,
  'POST /internal/projections/export': projectionsBetween,
  'POST /internal/operations': operationsOf,
};
