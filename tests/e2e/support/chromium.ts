import { chromiumPath } from '@covalence/testing/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Starts the browser of Debian. */
export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
