import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of one service, in a registry of its own: tests run several services in one process. */
export interface Metrics {
  /** The service's name, e.g. 'profile'. */
  readonly service: string;
  readonly registry: Registry;
  /** Duration of requests in seconds by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Events published and consumed, by type and outcome. */
  readonly events: Counter<'type' | 'outcome'>;
  /** Seconds from an event to the end of its handling, by queue. For search.index this is the index lag. */
  readonly eventLag: Histogram<'queue'>;
  /** Messages by queue and state: `ready` for a consumer, `taken` by this process, `dead` letters. */
  readonly queueMessages: Gauge<'queue' | 'state'>;
  /** Events that the outbox relay published, by collection. */
  readonly relayed: Counter<'collection'>;
  /** Rounds of periodic jobs that failed, in part or as a whole. */
  readonly failedRounds: Counter<'work'>;
  /** Open live-updates sockets. */
  readonly sockets: Gauge;
  /** Push messages by outcome. */
  readonly pushes: Counter<'outcome'>;
  /** Devices with waiting push messages, read from Redis: the same number in every process. */
  readonly pushesWaiting: Gauge;
  /** Mails by outcome. */
  readonly mails: Counter<'outcome'>;
  /** Security events by name and reason (security-events). */
  readonly securityEvents: Counter<'event' | 'reason'>;
  /** Valid registrations by client application and outcome: `done`, `taken`, `limited` or `failed`. */
  readonly registrations: Counter<'client' | 'outcome'>;
  /** Payments by kind and outcome. */
  readonly payments: Counter<'kind' | 'outcome'>;
  /** Requests at the gateway whose X-Forwarded-For does not match TRUSTED_PROXIES. */
  readonly proxyMisfits: Counter<'kind'>;
}

/** Creates a service's metrics, without those of the process (memory, event loop). */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ part: service });
  const registers = [registry];
  return {
    service,
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    events: new Counter({
      name: 'events_total',
      help: 'Events published and consumed.',
      labelNames: ['type', 'outcome'],
      registers,
    }),
    eventLag: new Histogram({
      name: 'event_lag_seconds',
      help: 'Time from an event to the end of its handling.',
      labelNames: ['queue'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 15, 60, 600],
      registers,
    }),
    queueMessages: new Gauge({
      name: 'queue_messages',
      help: 'Messages that are ready in a queue, taken by a process, or dead letters.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    relayed: new Counter({
      name: 'outbox_relayed_total',
      help: 'Outbox entries that the relay published.',
      labelNames: ['collection'],
      registers,
    }),
    failedRounds: new Counter({
      name: 'periodic_failures_total',
      help: 'Rounds of periodic jobs with a failure.',
      labelNames: ['work'],
      registers,
    }),
    sockets: new Gauge({ name: 'sockets_open', help: 'Open live-updates sockets.', registers }),
    pushes: new Counter({
      name: 'push_messages_total',
      help: 'Push messages by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    pushesWaiting: new Gauge({
      name: 'push_devices_waiting',
      help: 'Devices with waiting push messages.',
      registers,
    }),
    mails: new Counter({
      name: 'mails_total',
      help: 'Attempts to send a mail, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    securityEvents: new Counter({
      name: 'security_events_total',
      help: 'Security events, by name and reason.',
      labelNames: ['event', 'reason'],
      registers,
    }),
    registrations: new Counter({
      name: 'registrations_total',
      help: 'Registrations with valid parameters, by client application and outcome.',
      labelNames: ['client', 'outcome'],
      registers,
    }),
    proxyMisfits: new Counter({
      name: 'proxy_misfits_total',
      help: 'Requests whose X-Forwarded-For does not match TRUSTED_PROXIES, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    payments: new Counter({
      name: 'payments_total',
      help: 'Payments by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
  };
}
