import type { TcpProxy } from '@covalence/testing/tcp-proxy';

/** A process of a service. */
export interface Process {
  readonly url: string;
  readonly managementUrl: string;
}

/** As in k8s/base: the interval of the probes, and the failures after which a process gets no new connections. */
const probeMs = 5_000;
const failures = 2;
const probeLimitMs = 3_000;

const isReady = async ({ managementUrl }: Process): Promise<boolean> =>
  fetch(`${managementUrl}/health/ready`, { signal: AbortSignal.timeout(probeLimitMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

/** Sends new connections to the ready processes of a service in turn, as Kubernetes does. */
export function startBalancer(way: TcpProxy, processes: readonly Process[]) {
  const failed = new Map<Process, number>();
  const retired = new Set<Process>();
  const lead = () => {
    const present = processes.filter((one) => !retired.has(one));
    const ready = present.filter((one) => (failed.get(one) ?? 0) < failures);
    way.lead(...(ready.length ? ready : present).map(({ url }) => url));
  };
  const probe = async (one: Process) => {
    failed.set(one, (await isReady(one)) ? 0 : (failed.get(one) ?? 0) + 1);
    lead();
  };
  const probing = setInterval(() => void Promise.all(processes.map(probe)), probeMs);
  lead();
  return {
    /** Takes a process out, which is about to end, or puts it back. */
    retire(one: Process, isOut: boolean): void {
      if (isOut) retired.add(one);
      else retired.delete(one);
      failed.delete(one);
      lead();
    },
    close: () => clearInterval(probing),
  };
}
