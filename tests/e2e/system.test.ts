import { afterAll, beforeAll } from '@jest/globals';
import { startSystem, type System } from './support/system.ts';
import { banCases } from './system/bans.ts';
import { browserAppCases } from './system/browser-app.ts';
import { consoleCases } from './system/console.ts';
import { errorCases } from './system/errors.ts';
import { feedCases } from './system/feed.ts';
import { journeyCases } from './system/journey.ts';
import { locationCases } from './system/locations.ts';
import { messageCases } from './system/messages.ts';
import { nativeAppCases } from './system/native-app.ts';
import { operationsCases } from './system/operations.ts';
import { photoCases } from './system/photos.ts';
import { purchaseCases } from './system/purchase.ts';
import { searchCommandCases } from './system/search-commands.ts';
import { serviceCallCases } from './system/service-calls.ts';
import { registrationCases } from './system/registration.ts';
import { signInCases } from './system/sign-in.ts';
import { staffCases } from './system/staff.ts';
import { staffRoleCases } from './system/staff-roles.ts';
import { storeUserCases } from './system/store-users.ts';

// Starting a system takes as long as most cases, so they share one.
let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system?.stop());

for (const cases of [
  journeyCases,
  staffCases,
  staffRoleCases,
  banCases,
  photoCases,
  purchaseCases,
  messageCases,
  operationsCases,
  locationCases,
  feedCases,
  errorCases,
  searchCommandCases,
  serviceCallCases,
  registrationCases,
  signInCases,
  browserAppCases,
  consoleCases,
  nativeAppCases,
  // Last, because they check the logs of all the others.
  storeUserCases,
]) {
  cases(() => system);
}
