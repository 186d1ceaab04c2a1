import { browserCommands } from '@covalence/stack/engines/browser-commands';
import { findCommand } from '@covalence/stack/engines/find-command';

/**
 * The browser that tests of pages run in: `CHROMIUM`, else the one installed. Throws where there is none, so that no such
 * test is passed over in silence; `npm test` installs it where it may.
 */
export function chromiumPath(): string {
  const found = findCommand(browserCommands(process.env), process.env);
  if (found !== undefined) return found;
  throw new Error(
    'Chromium is missing, and these tests need it: run "sudo apt-get install chromium", or set CHROMIUM to its path',
  );
}
