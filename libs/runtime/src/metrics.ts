import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of one part, in a registry of its own so that several parts can live in one process (tests). */
export interface Metrics {
  /** The part's name, e.g. 'profile'. */
  readonly part: string;
  readonly registry: Registry;
  /** Duration of requests in seconds by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Events published and consumed, by type and outcome. */
  readonly events: Counter<'type' | 'outcome'>;
  /** Seconds from an event's cause to the end of its handling, by queue: for search.index that is the index's lag. */
  readonly eventLag: Histogram<'queue'>;
  /** Messages that wait, by queue and state: `ready` for their consumer, `taken` by this process, `dead` for a person. */
  readonly queueMessages: Gauge<'queue' | 'state'>;
  /** Entries the outbox relay found left over, by collection. */
  readonly relayed: Counter<'collection'>;
  /** Rounds of periodic work of which a part failed, or all of it. */
  readonly failedRounds: Counter<'work'>;
  /** Open live-updates sockets. */
  readonly sockets: Gauge;
  /** Push messages by what became of them. */
  readonly pushes: Counter<'outcome'>;
  /** Devices that are to be told by push, as Redis knows: the same number in every process. */
  readonly pushesWaiting: Gauge;
  /** Mails by what became of the attempt to send them. */
  readonly mails: Counter<'outcome'>;
  /** Security events by name and reason (security-events). */
  readonly securityEvents: Counter<'event' | 'reason'>;
  /** Valid registrations by client application and what became of them: `done`, `taken`, `limited` or `failed`. */
  readonly registrations: Counter<'client' | 'outcome'>;
  /** Payments by kind and what became of them. */
  readonly payments: Counter<'kind' | 'outcome'>;
  /** Requests at the gateway whose X-Forwarded-For does not fit TRUSTED_PROXIES. */
  readonly proxyMisfits: Counter<'kind'>;
}

/** Creates a part's metrics. Those of its process (memory, event loop) are added where it runs as one. */
export function createMetrics(part: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ part });
  const registers = [registry];
  return {
    part,
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
      help: "Time from an event's cause to the end of its handling.",
      labelNames: ['queue'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 15, 60, 600],
      registers,
    }),
    queueMessages: new Gauge({
      name: 'queue_messages',
      help: 'Messages that wait in a queue, in a process that took them, or among the dead letters.',
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
      help: 'Rounds of periodic work in which something failed.',
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
      help: 'Devices that wait to be told by push.',
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
      help: 'Requests whose X-Forwarded-For does not fit TRUSTED_PROXIES, by kind.',
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
