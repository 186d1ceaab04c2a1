import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Registers every metric of a service. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram<Label>({ name, help, labelNames, buckets, registers });
  return {
    requests: histogram(
      'http_request_duration_seconds',
      'Duration of requests; status 499: the client left, 502: a service broke off, 101: a socket.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      'method',
      'route',
      'status',
    ),
    events: counter(
      'events_total',
      'Events published, and consumed of a queue; `dead`: given up.',
      'type',
      'outcome',
      'queue',
    ),
    eventLag: histogram(
      'event_lag_seconds',
      'Time from an event to the end of its handling; of search.index, how far search is behind.',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 15, 60, 600],
      'queue',
    ),
    searchSettings: gauge(
      'search_settings_version',
      'Published version: the `newest`; `in_force`: an older one if this release does not know the newest.',
      'state',
    ),
    usage: counter(
      'search_usage_total',
      'Searches to be recorded: `stored`, or `dropped` because MongoDB is away or slow.',
      'outcome',
    ),
    queueMessages: gauge(
      'queue_messages',
      'Messages by queue: `ready` for a consumer, `taken` by this process, `dead` letters.',
      'queue',
      'state',
    ),
    relayed: counter('outbox_relayed_total', 'Outbox entries that the relay published.', 'collection'),
    failedRounds: counter('periodic_failures_total', 'Rounds of periodic jobs with a failure.', 'work'),
    sockets: gauge('sockets_open', 'Open live-updates sockets.'),
    pushes: counter('push_messages_total', 'Attempts to send a push message.', 'outcome'),
    pushesWaiting: gauge(
      'push_devices_waiting',
      'Devices with waiting push messages, without those that rest; the same in every process.',
    ),
    pushCircuitsOpen: gauge(
      'push_apps_paused',
      'Apps whose push service fails, so that this process pauses.',
    ),
    mails: counter(
      'mails_total',
      'Attempts to send a mail: `sent`, `refused` for good, or `failed` and retried.',
      'outcome',
    ),
    providerRevocations: counter(
      'provider_revocations_total',
      'Attempts to revoke tokens at providers: `revoked`, `failed` (retried), `given_up` after 7 days.',
      'outcome',
    ),
    securityEvents: counter(
      'security_events_total',
      'Security events, by name and reason.',
      'event',
      'reason',
    ),
    registrations: counter(
      'registrations_total',
      'Valid registrations, by client application: `done`, `taken`, `limited`, `failed`.',
      'client',
      'outcome',
    ),
    proxyMisfits: counter(
      'proxy_misfits_total',
      'Requests whose X-Forwarded-For does not match TRUSTED_PROXIES, by kind.',
      'kind',
    ),
    staffWaiting: gauge(
      'staff_queue_oldest_seconds',
      'How long the oldest entry waits for staff, 0 without one; the same in every process.',
      'kind',
      'siteid',
    ),
    staffClaims: gauge(
      'staff_claims_open',
      'Entries of the queue that somebody works on; the same in every process.',
      'kind',
    ),
    staffRestrictionsMost: gauge(
      'staff_restrictions_most',
      'Most restrictions, or ends of one, by a staff account in ten minutes; the same in every process.',
    ),
    staffDecisions: counter('staff_decisions_total', 'Decisions of staff, by what they are on.', 'kind'),
    payments: counter('payments_total', 'Payments by kind and outcome.', 'kind', 'outcome'),
    storeAnswers: counter(
      'store_answers_total',
      'Questions to stores: `followed`, `failed` and retried, `unswitched` for a day, or why nobody’s.',
      'store',
      'outcome',
    ),
  };
}

/** The metrics of one service. */
export interface Metrics extends ReturnType<typeof metricsIn> {
  /** The name of the service, e.g. 'profile'. */
  readonly service: string;
  readonly registry: Registry;
}

/** Creates the metrics of a service in a separate registry, because tests run several services in one process. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return { service, registry, ...metricsIn(registry) };
}
