import { startStackUnderTest } from '@covalence/testing/stack-under-test';
import { afterAll, beforeAll } from '@jest/globals';
import { findCases } from './journeys/find.ts';
import { frameCases } from './journeys/frame.ts';
import { judgmentCases } from './journeys/judgments.ts';
import { queueCases } from './journeys/queue.ts';
import { reportCases } from './journeys/reports.ts';
import { searchCases } from './journeys/search.ts';
import { signInCases } from './journeys/sign-in.ts';
import { startBrowser, type System } from './support/console-under-test.ts';

// Starting a system takes as long as most cases, so they share one.
let system: System;
beforeAll(async () => {
  const [stack, browser] = await Promise.all([startStackUnderTest({ members: 60 }), startBrowser()]);
  system = { stack, browser, base: stack.demo.console_url };
}, 120_000);
afterAll(async () => {
  await system?.browser.close();
  await system?.stack.stop();
});

for (const cases of [signInCases, findCases, queueCases, reportCases, searchCases, judgmentCases, frameCases])
  cases(() => system);
