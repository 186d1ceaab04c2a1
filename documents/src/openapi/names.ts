/** What code generators call an operation and its answer. */
interface Names {
  /** The method of a generated client; unique. */
  readonly operation: string;
  /** The class of an answer that has no name of its own yet; the same name only for the same shape. */
  readonly answer?: string;
  /** The class of the entries of that answer's list. */
  readonly entry?: string;
}

const of = (operation: string, answer?: string, entry?: string): Names => ({
  operation,
  ...(answer && { answer }),
  ...(entry && { entry }),
});

/**
 * Names by route, as OpenAPI writes it. They are part of the interface: a client that is generated anew must still
 * compile, so that names stay when they are out.
 */
const names: Readonly<Record<string, Names>> = {
  'POST /authorize': of('startSignIn'),
  'GET /authorize': of('startSignInByLink'),
  'GET /authorize/{uid}': of('resumeSignIn'),
  'GET /login/{uid}': of('showLogin'),
  'POST /login/{uid}': of('submitLogin'),
  'GET /login/{uid}/forgotten': of('showForgottenPassword'),
  'POST /login/{uid}/forgotten': of('submitForgottenPassword'),
  'GET /login/{uid}/device': of('showDeviceLinkSent'),
  'POST /login/{uid}/device': of('submitDeviceLink'),
  'GET /device/{token}': of('showDeviceLink'),
  'POST /device/{token}': of('confirmDevice'),
  'GET /password/{token}': of('showNewPassword'),
  'POST /password/{token}': of('submitNewPassword'),
  'GET /account/password': of('showPasswordChange'),
  'POST /account/password': of('submitPasswordChange'),
  'GET /email/{token}': of('showEmailConfirmation'),
  'POST /email/{token}': of('confirmEmail'),
  'GET /email/{token}/revert': of('showEmailRevert'),
  'POST /email/{token}/revert': of('confirmEmailRevert'),
  'POST /token': of('getTokens'),
  'POST /revoke': of('revokeToken'),
  'GET /session/end': of('showSignOut'),
  'POST /session/end': of('startSignOut'),
  'POST /session/end/confirm': of('submitSignOut'),
  'GET /session/end/success': of('showSignedOut'),
  'GET /jwks': of('getKeys'),
  'GET /.well-known/openid-configuration': of('getDiscovery'),
  'GET /.well-known/oauth-authorization-server': of('getServerMetadata'),
  'POST /session/everywhere': of('signOutEverywhere'),

  'POST /members': of('registerMember', 'RegisteredMember'),
  'POST /members/self': of('updateMember'),
  'DELETE /members/self': of('deleteMember', 'Deletion'),
  'GET /members/self/export': of('exportMember', 'MemberExport'),
  'GET /users/{profileid}': of('getMember'),
  'GET /questions': of('listQuestions', 'QuestionList'),
  'GET /reasons/profile/delete': of('listDeleteReasons', 'DeleteReasonList', 'DeleteReason'),
  'GET /recordaffiliatehit': of('recordAffiliateHitByLink', 'AffiliateHit'),
  'POST /recordaffiliatehit': of('recordAffiliateHit', 'AffiliateHit'),

  'POST /like': of('likeMember'),
  'POST /unlike': of('unlikeMember'),
  'POST /decline': of('declineMember'),
  'POST /block': of('blockMember'),
  'POST /unblock': of('unblockMember'),
  'POST /pass': of('passMember'),
  'POST /report': of('reportMember'),
  'GET /members/self/activity': of('getActivity'),
  'GET /members/self/activity/{page}': of('listActivity', 'ActivityPage', 'ActivityMember'),
  'POST /members/self/activity/reset/{page}': of('resetActivity'),

  'GET /photo': of('listPhotos'),
  'POST /photo': of('uploadPhoto'),
  'DELETE /photo': of('deletePhotoByParameter'),
  'DELETE /photo/{photoid}': of('deletePhoto'),
  'POST /photo/primary': of('setPrimaryPhoto', 'OwnRecordWithPhotos'),
  'POST /updatephotoorder': of('updatePhotoOrder', 'OwnRecordWithPhotos'),
  'POST /members/self/photosharing': of('sharePhotos'),
  'GET /photos/{file}': of('getPhotoFile'),
  'GET /photos/private/{file}': of('getPrivatePhotoFile'),

  'GET /messages': of('listThreads', 'ThreadList', 'MessageThread'),
  'POST /messages': of('sendMessage'),
  'GET /messages/{profileid}': of('listMessages', 'MessageList'),
  'POST /messages/{profileid}/read': of('markThreadRead', 'UnreadCount'),
  'DELETE /messages/{profileid}': of('deleteThread'),
  'DELETE /messages/{profileid}/{messageid}': of('deleteMessage'),

  'POST /searches': of('searchMembers'),
  'GET /searches': of('searchMembersByLink'),
  'GET /searches/questions': of('listCriteria', 'CriterionList'),
  'GET /searches/saved': of('listSavedSearches', 'SavedSearchList', 'SavedSearch'),
  'POST /searches/saved': of('saveSearch', 'SavedSearch'),
  'GET /searches/saved/{id}': of('getSavedSearch', 'SavedSearch'),
  'POST /searches/saved/{id}': of('updateSavedSearch', 'SavedSearch'),
  'DELETE /searches/saved/{id}': of('deleteSavedSearch'),
  'POST /searches/saved/{id}/run': of('runSavedSearch'),
  'POST /search': of('searchMembersV1'),
  'GET /members/self/criteria': of('getMatchCriteria'),
  'POST /members/self/criteria': of('updateMatchCriteria'),
  'POST /members/self/matchcriteria': of('updateMatchCriteriaV1', 'MatchCriteriaV1'),

  'GET /packages': of('listPackages', 'PackageList'),
  'POST /packages/purchase': of('purchasePackage', 'Purchase'),
  'POST /packages/cancel': of('cancelMembership'),
  'POST /packages/webhook/{provider}': of('receivePaymentNews'),

  'GET /webpush': of('getPushSettings', 'PushSettings'),
  'POST /webpush': of('subscribePush', 'PushSubscription'),
  'DELETE /webpush': of('unsubscribePush', 'PushSubscriptions'),
  'GET /ws/updates': of('openLiveUpdates'),

  'GET /staff/queue': of('listStaffQueue', 'StaffQueue', 'StaffQueueEntry'),
  'GET /staff/members/{id}': of('getStaffMember', 'StaffMember'),
  'GET /staff/members/{id}/history': of('getStaffHistory', 'StaffHistory', 'StaffHistoryEntry'),
  'GET /staff/members/{id}/evidence': of('listStaffEvidence', 'StaffEvidenceList', 'StaffEvidenceEntry'),
  'GET /staff/evidence/{evidenceid}': of('getStaffEvidence', 'StaffEvidence'),
  'POST /staff/members/{id}/approve': of('approveMember', 'StandingDecision'),
  'POST /staff/members/{id}/reject': of('rejectMember', 'StandingDecision'),
  'POST /staff/members/{id}/suspend': of('suspendMember', 'StandingDecision'),
  'POST /staff/members/{id}/unsuspend': of('unsuspendMember', 'StandingDecision'),
  'POST /staff/members/{id}/delete': of('eraseMember', 'StandingDecision'),
  'POST /staff/members/{id}/texts/{field}/approve': of('approveText', 'TextDecision'),
  'POST /staff/members/{id}/texts/{field}/reject': of('rejectText', 'TextDecision'),
  'POST /staff/photos/{photoid}/approve': of('approvePhoto', 'PhotoDecision'),
  'POST /staff/photos/{photoid}/reject': of('rejectPhoto', 'PhotoDecision'),
  'POST /staff/reports/{reportid}/close': of('closeReport', 'ReportDecision'),
  'GET /staff/memberships/{member}': of('getStaffMembership'),
  'POST /staff/memberships/{member}/correct': of('correctMembership'),

  'GET /openapi.json': of('getOpenApi'),
  'GET /asyncapi.json': of('getAsyncApi'),
  'GET /docs': of('getDocs'),
  'GET /docs/rapidoc.js': of('getDocsScript'),
};

/** The names of a route as OpenAPI writes it: 'POST /photo/{photoid}'. Throws where it has none. */
export function namesOf(route: string): Names {
  const found = names[route];
  if (!found) throw new Error(`${route} has no name: add one to documents/src/openapi/names.ts`);
  return found;
}

/** Routes that have names. */
export const namedRoutes: readonly string[] = Object.keys(names);
