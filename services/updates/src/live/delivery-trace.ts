import { startSpan, traceOf } from '@covalence/runtime/tracing';

/** The beginning of a published text whose delivery is traced. */
const traced = /^t (\S+) /;

/** The prefix that carries a trace; empty without a recorded trace. */
export function tracePrefix(traceparent: string | undefined): string {
  return traceparent?.endsWith('-01') ? `t ${traceparent} ` : '';
}

/** A published text without its prefix, and a function that starts the span of its delivery to this many sockets. */
export function readDelivery(published: string): { text: string; begin: (sockets: number) => () => void } {
  const [prefix, traceparent] = traced.exec(published) ?? [];
  if (prefix === undefined) return { text: published, begin: () => () => undefined };
  return {
    text: published.slice(prefix.length),
    begin(sockets) {
      const { span } = startSpan({
        name: 'send /ws/updates',
        kind: 'producer',
        within: traceOf({ traceparent }),
        attributes: { 'messaging.destination.name': '/ws/updates', 'covalence.sockets': sockets },
      });
      return () => span.end();
    },
  };
}
