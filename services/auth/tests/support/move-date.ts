import { jest } from '@jest/globals';

/** Only the date is moved: sockets and drivers keep their own time. */
export const moveDate = (ms: number) => {
  const at = Date.now() + ms;
  jest.useFakeTimers({
    now: at,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
};
