import circus from 'jest-circus/runner';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { useGlobals } from './globals.mjs';

const globals = new URL('globals.mjs', import.meta.url).href;

// Packages of the workspace are loaded from their sources, as the field `source` of their exports says.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globals, shortCircuit: true }
      : next(specifier, { ...context, conditions: [...context.conditions, 'source'] }),
});

const require = createRequire(import.meta.url);
const eventHandlers = Symbol.for('EVENT_HANDLERS');

/** Loads jest-circus again for each suite, because it keeps the state of a suite in its module. */
function requireAnew(file) {
  delete require.cache[file];
  globalThis[eventHandlers] = undefined;
  return require(file);
}

/** Runs a suite with jest-circus in the realm of the worker (see environment.mjs). */
export default function runSuite(globalConfig, config, environment, _runtime, file, report) {
  const runtime = {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime: (ofSuite) => useGlobals({ ...ofSuite, jest: environment.jest }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (module) => import(pathToFileURL(module).href),
    enterTestCode() {},
    leaveTestCode() {},
  };
  return circus.default(globalConfig, config, environment, runtime, file, report);
}
