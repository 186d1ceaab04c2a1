import { certificate } from '@covalence/testing/push-certificate';
import { startPushService } from '@covalence/testing/push-service';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTraceCollector, type TraceCollector } from './trace-collector.ts';

const shippedSites = new URL('../../../config/sites.json', import.meta.url);

/** Few, so that a test can use them up. */
export const likesPerDay = 5;

/** What the payment provider signs with. */
export const paymentSecret = 'what the payment provider signs with';

/** The stack that the cases of `system/` share, and what stands around it. */
export interface System extends StackUnderTest {
  /** Where its spans go. */
  readonly collector: TraceCollector;
  /** The one push service that it may speak to. */
  readonly pushService: Awaited<ReturnType<typeof startPushService>>;
  /** The folder of its mails. */
  readonly mails: string;
}

/** Starts it, telling all there is to tell in its logs. */
export async function startSystem(): Promise<System> {
  const [collector, pushService, folder] = await Promise.all([
    startTraceCollector(),
    startPushService(),
    mkdtemp(join(tmpdir(), 'e2e-')),
  ]);
  const [trusted, sitesFile, mails] = ['push-service.pem', 'sites.json', 'mails'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const sites = JSON.parse(await readFile(shippedSites, 'utf8')) as object[];
  await writeFile(trusted, certificate);
  await writeFile(sitesFile, JSON.stringify(sites.map((site) => ({ ...site, likes_per_day: likesPerDay }))));
  const stack = await startStackUnderTest({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      PUSH_ALLOWED_ADDRESSES: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: trusted,
      SITES_FILE: sitesFile,
      PAYMENT_WEBHOOK_SECRET: paymentSecret,
      MAIL_DIR: mails,
      PRESENCE_EVERY_MS: '200',
      LOG_LEVEL: 'debug',
    },
  });
  return {
    ...stack,
    collector,
    pushService,
    mails,
    async stop() {
      await stack.stop();
      collector.close();
      pushService.close();
      await rm(folder, { recursive: true });
    },
  };
}
