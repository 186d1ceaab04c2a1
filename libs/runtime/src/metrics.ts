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
      'Duration of HTTP requests.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      'method',
      'route',
      'status',
    ),
    events: counter('events_total', 'Events published and consumed.', 'type', 'outcome'),
    /** For the queue search.index this is the index lag. */
    eventLag: histogram(
      'event_lag_seconds',
      'Time from an event to the end of its handling.',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 15, 60, 600],
      'queue',
    ),
    /** Outcomes: `stored`, or `dropped` because MongoDB is away or slow. */
    usage: counter('search_usage_total', 'Searches to be recorded, by outcome.', 'outcome'),
    /** States: `ready` for a consumer, `taken` by this process, `dead` letters. */
    queueMessages: gauge('queue_messages', 'Messages by queue and state.', 'queue', 'state'),
    relayed: counter('outbox_relayed_total', 'Outbox entries that the relay published.', 'collection'),
    failedRounds: counter('periodic_failures_total', 'Rounds of periodic jobs with a failure.', 'work'),
    sockets: gauge('sockets_open', 'Open live-updates sockets.'),
    pushes: counter('push_messages_total', 'Push messages by outcome.', 'outcome'),
    /** Read from Redis: the same number in every process. */
    pushesWaiting: gauge('push_devices_waiting', 'Devices with waiting push messages.'),
    pushCircuitsOpen: gauge(
      'push_apps_paused',
      'Apps whose push service fails, so that this process pauses.',
    ),
    mails: counter('mails_total', 'Attempts to send a mail, by outcome.', 'outcome'),
    /** Outcomes: `revoked`, `failed` (retried) or `given_up`. */
    providerRevocations: counter(
      'provider_revocations_total',
      'Attempts to revoke a token at an identity provider, by outcome.',
      'outcome',
    ),
    securityEvents: counter(
      'security_events_total',
      'Security events, by name and reason.',
      'event',
      'reason',
    ),
    /** Outcomes: `done`, `taken`, `limited` or `failed`. */
    registrations: counter(
      'registrations_total',
      'Registrations with valid parameters, by client application and outcome.',
      'client',
      'outcome',
    ),
    proxyMisfits: counter(
      'proxy_misfits_total',
      'Requests whose X-Forwarded-For does not match TRUSTED_PROXIES, by kind.',
      'kind',
    ),
    payments: counter('payments_total', 'Payments by kind and outcome.', 'kind', 'outcome'),
    /** Outcomes: `followed`, `failed` (asked again), `unswitched` (renewal, for a day), or why the subscription is nobody's. */
    storeAnswers: counter(
      'store_answers_total',
      'Questions to stores about a subscription, by outcome.',
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
  registry.setDefaultLabels({ part: service });
  return { service, registry, ...metricsIn(registry) };
}
