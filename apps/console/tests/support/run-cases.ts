import { startStackUnderTest } from '@covalence/testing/stack-under-test';
import { afterAll, beforeAll } from '@jest/globals';
import { startBrowser, type System } from './console-under-test.ts';

/** Runs cases on one system, because starting one takes as long as most of them. */
export function runCases(...all: readonly ((system: () => System) => void)[]): void {
  let system: System;
  beforeAll(async () => {
    const [stack, browser] = await Promise.all([startStackUnderTest({ members: 60 }), startBrowser()]);
    system = { stack, browser, base: stack.demo.console_url };
  });
  afterAll(async () => {
    await system?.browser.close();
    await system?.stack.stop();
  });
  for (const cases of all) cases(() => system);
}
