import { browserCommands, browserPackage, findCommand } from '@covalence/stack/engines/find-command';

/**
 * The browser for page tests: `CHROMIUM`, else the installed one. Throws if there is none, so that these
 * tests are never skipped silently; `npm test` installs it where it may.
 */
export function chromiumPath(): string {
  const found = findCommand(browserCommands(process.env), process.env);
  if (found !== undefined) return found;
  throw new Error(
    `These tests need Chromium: run "sudo apt-get install ${browserPackage}", or set CHROMIUM to its path`,
  );
}
