import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Suites run in the realm of their worker, with the modules that Node.js loads, as services do in production.
 * Loading is most of what a small suite costs, so the suites of a worker share modules. Mocks of a suite end
 * with it.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #exit = Object.getOwnPropertyDescriptor(process, 'exit');

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** The object `jest` of `@jest/globals`: the functions that suites use. */
  get jest() {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      useFakeTimers(config) {
        timers.useFakeTimers(config);
        return jest;
      },
      useRealTimers: () => timers.useRealTimers(),
    };
    return jest;
  }

  setup() {}

  teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.useRealTimers();
    // The runner wraps it again for each suite.
    Object.defineProperty(process, 'exit', this.#exit);
  }

  /** There is none; the runner requires the function. */
  getVmContext() {
    return null;
  }
}
