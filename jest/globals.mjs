let ofSuite;

/** Sets the functions of the suite that runs now. */
export function useGlobals(globals) {
  ofSuite = globals;
}

/** Modules outlive suites, so each use asks for the function of the current one. */
const current = (name) =>
  new Proxy(() => {}, {
    apply: (_target, _this, args) => ofSuite[name](...args),
    get: (_target, key) => ofSuite[name][key],
  });

export const [afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest] = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
].map(current);
