import { manifests, readVariables, type Manifest, type Pod } from './files.ts';

/** The manifests of a service. */
export const baseOf = (service: string): Manifest[] => manifests(`k8s/base/${service}.yaml`);

/** The manifest of a kind and name; throws unless there is exactly one. */
export const one = (all: readonly Manifest[], kind: string, name: string): Manifest => {
  const [found, ...others] = all.filter(
    (manifest) => manifest.kind === kind && manifest.metadata.name === name,
  );
  if (!found || others.length) throw new Error(`not exactly one ${kind} ${name}`);
  return found;
};

/** The workload of a service. */
export const deploymentOf = (service: string): Manifest => one(baseOf(service), 'Deployment', service);

/** The pods of a Deployment or CronJob. */
export const podOf = ({ spec, metadata }: Manifest): Pod => {
  const pod = spec.template?.spec ?? spec.jobTemplate?.spec.template.spec;
  if (!pod) throw new Error(`${metadata.name} has no pods`);
  return pod;
};

/** Their only container. */
export const containerOf = (manifest: Manifest) => {
  const [container] = podOf(manifest).containers;
  if (!container) throw new Error(`${manifest.metadata.name} has no container`);
  return container;
};

/** The files of the Secrets of the local overlay, by name. */
export const secretFile = (name: string): string =>
  `k8s/overlays/local/secrets/${name.replace('covalence-', '')}.env.example`;

/** Additional Secret entries of a system with mail and push. */
const secrets: Readonly<Record<string, string>> = {
  'mail-url': 'smtps://mail.example:465',
  'identity-providers': '[]',
  'app-store-apps': '[]',
  'google-play-apps': '[]',
  'stripe-secret-key': `rk_live_${'x'.repeat(40)}`,
  'stripe-webhook-secrets': `whsec_${'x'.repeat(32)},whsec_${'y'.repeat(32)}`,
  'vapid-public-key': 'x'.repeat(87),
  'vapid-private-key': 'x'.repeat(43),
  'vapid-subject': 'mailto:push@covalence.example',
  'push-apps-file': '',
};
const secretOf = ({ name, key }: { readonly name: string; readonly key: string }) =>
  readVariables(secretFile(name))[key] ?? secrets[key] ?? 'x'.repeat(40);

/** The environment of a production pod, with placeholder secrets. */
export const environmentOf = (manifest: Manifest): Readonly<Record<string, string>> => {
  const env = containerOf(manifest).env ?? [];
  const own = env.flatMap(({ name, valueFrom }) =>
    valueFrom ? [[name, secretOf(valueFrom.secretKeyRef)] as const] : [],
  );
  return {
    ...readVariables('k8s/base/covalence.env'),
    ...readVariables('k8s/overlays/production/covalence.env'),
    ...Object.fromEntries(own),
  };
};
