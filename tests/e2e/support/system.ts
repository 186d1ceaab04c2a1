import { certificate } from '@covalence/testing/push-certificate';
import { startPushService } from '@covalence/testing/push-service';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTraceCollector, type TraceCollector } from './trace-collector.ts';

const shippedSites = new URL('../../../config/sites.json', import.meta.url);
const shippedRelevance = new URL('../../../services/search/settings/relevance.json', import.meta.url);

/** A low limit that a test can reach. */
export const likesPerDay = 5;

/** The webhook secret of the payment provider. */
export const paymentSecret = 'what the payment provider signs with';

/** The stack that the cases in `system/` share, with its fake services. */
export interface System extends StackUnderTest {
  /** The trace collector. */
  readonly collector: TraceCollector;
  /** The only push service that it may call. */
  readonly pushService: Awaited<ReturnType<typeof startPushService>>;
  /** The folder of sent mails. */
  readonly mails: string;
}

/** Starts the system with the most verbose logs. */
export async function startSystem(): Promise<System> {
  const [collector, pushService, folder] = await Promise.all([
    startTraceCollector(),
    startPushService(),
    mkdtemp(join(tmpdir(), 'e2e-')),
  ]);
  const [trusted, sitesFile, relevanceFile, mails] = [
    'push-service.pem',
    'sites.json',
    'relevance.json',
    'mails',
  ].map((name) => join(folder, name)) as [string, string, string, string];
  const sites = JSON.parse(await readFile(shippedSites, 'utf8')) as object[];
  const relevance = JSON.parse(await readFile(shippedRelevance, 'utf8')) as object;
  await writeFile(
    relevanceFile,
    JSON.stringify({ ...relevance, discover: true, discover_left_out: 0, usage_sample: 1 }),
  );
  await writeFile(trusted, certificate);
  await writeFile(sitesFile, JSON.stringify(sites.map((site) => ({ ...site, likes_per_day: likesPerDay }))));
  const stack = await startStackUnderTest({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      PUSH_ALLOWED_ADDRESSES: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: trusted,
      SITES_FILE: sitesFile,
      RELEVANCE_FILE: relevanceFile,
      PAYMENT_WEBHOOK_SECRET: paymentSecret,
      MAIL_DIR: mails,
      CORS_ORIGINS: 'registered',
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
