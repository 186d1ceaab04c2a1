import { startSpan, traceOf } from '@covalence/runtime/tracing';

/** A published text whose delivery is traced begins so, and with the trace. */
const traced = /^t (\S+) /;

/** What a text begins with that belongs to a trace; nothing where the trace is none or not kept. */
export function tracePrefix(traceparent: string | undefined): string {
  return traceparent?.endsWith('-01') ? `t ${traceparent} ` : '';
}

/** A published text, and what tells the trace that it went to so many sockets; it is called when that begins. */
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
