import { createLogger } from '@covalence/runtime/logger';

/** Logs only why an answer is not as its endpoint declares it: the answer itself is a 500 without a reason. */
export const testLogger = createLogger('test', 'fatal');
