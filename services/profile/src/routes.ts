import type { Routes } from '@covalence/http/endpoint';
import { resetActivity } from './activity/reset-activity.ts';
import { listDeleteReasons } from './catalogue/delete-reasons.ts';
import { listQuestions } from './catalogue/questions.ts';
import { recordAffiliateHit } from './affiliates/record-hit.ts';
import type { Context } from './context.ts';
import { importMany } from './internal/import-members.ts';
import { settlePending, stateOfMember } from './internal/member-state.ts';
import { reactivate } from './internal/reactivate.ts';
import { block, unblock } from './pairs/block.ts';
import { decline } from './pairs/decline.ts';
import { like } from './pairs/like.ts';
import { unlike } from './pairs/unlike.ts';
import { viewProfile } from './profiles/view-profile.ts';
import { deletePhoto } from './photos/delete-photo.ts';
import { listPhotos } from './photos/list-photos.ts';
import { makePrimary } from './photos/make-primary.ts';
import { updatePhotoOrder } from './photos/update-photo-order.ts';
import { uploadPhoto } from './photos/upload-photo.ts';
import { register } from './registration/register.ts';
import { projectionsAfter, projectionsByIds } from './search/read-projections.ts';
import { viewerOfSearch } from './search/read-viewer.ts';
import { searchPage } from './search/search-page.ts';
import { updateSelf } from './update/update-self.ts';

/** What clients call, through the gateway. GET /photos/{file} is mounted beside these: it answers files. */
export const publicRoutes: Routes<Context> = {
  'POST /members': register,
  'POST /members/self': updateSelf,
  'GET /recordaffiliatehit': recordAffiliateHit,
  'POST /recordaffiliatehit': recordAffiliateHit,
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
  'DELETE /photo': deletePhoto,
  'POST /photo/primary': makePrimary,
  'DELETE /photo/:photoid': deletePhoto,
  'POST /updatephotoorder': updatePhotoOrder,
  'POST /members/self/activity/reset/:page': resetActivity,
};

/** What other services call; never routed by the gateway. */
export const internalRoutes: Routes<Context> = {
  'POST /internal/members/state': stateOfMember,
  'POST /internal/members/reactivate': reactivate,
  'POST /internal/members/settle': settlePending,
  'POST /internal/members/import': importMany,
  'POST /internal/records': searchPage,
  'POST /internal/viewers': viewerOfSearch,
  'POST /internal/projections': projectionsByIds,
  'POST /internal/projections/export': projectionsAfter,
};
