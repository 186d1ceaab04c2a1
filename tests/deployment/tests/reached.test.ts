import { describe, expect, it } from '@jest/globals';
import { containerOf, deploymentOf, baseOf, one } from '../environment.ts';
import { manifests, read, readVariables } from '../files.ts';
import { services } from '../speaks-to.ts';

const probe = (path: string) => expect.objectContaining({ httpGet: { path, port: 'management' } });

describe('traffic to a service', () => {
  it.each(services)('%s is selected by its service and autoscaler', (service) => {
    const labels = { 'app.kubernetes.io/name': service, 'app.kubernetes.io/component': 'service' };
    const { selector, template } = deploymentOf(service).spec;
    expect(selector).toEqual({ matchLabels: labels });
    expect(template?.metadata.labels).toEqual(labels);
    expect(one(baseOf(service), 'Service', service).spec.selector).toEqual(labels);
    expect(one(baseOf(service), 'HorizontalPodAutoscaler', service).spec).toMatchObject({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: service },
    });
  });

  it.each(services)(
    '%s is restarted when it is not live, and gets no traffic when it is not ready',
    (service) => {
      // An unavailable store makes it not ready; a restart would not help.
      expect(containerOf(deploymentOf(service))).toMatchObject({
        startupProbe: probe('/health/live'),
        livenessProbe: probe('/health/live'),
        readinessProbe: probe('/health/ready'),
      });
    },
  );

  it('reaches the gateway from both hosts of each overlay', () => {
    const [ingress] = manifests('k8s/base/ingress.yaml');
    const gateway = { service: { name: 'gateway', port: { name: 'http' } } };
    const { rules = [] } = ingress?.spec ?? {};
    for (const { http } of rules)
      expect(http.paths).toEqual([{ path: '/', pathType: 'Prefix', backend: gateway }]);
    const hosts = {
      local: rules.map(({ host }) => host),
      production: [
        ...read('k8s/overlays/production/kustomization.yaml').matchAll(/host, value: (\S+) /g),
      ].map(([, host]) => host),
    };
    for (const overlay of ['local', 'production'] as const) {
      const { PUBLIC_URL, AUTH_PUBLIC_URL } = readVariables(`k8s/overlays/${overlay}/covalence.env`);
      expect(hosts[overlay]).toEqual(
        [PUBLIC_URL, AUTH_PUBLIC_URL].map((address) => new URL(address ?? '').hostname),
      );
    }
  });
});
