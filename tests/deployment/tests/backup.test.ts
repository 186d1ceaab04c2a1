import { backupSettings } from '@covalence/cli/backup/settings';
import { describe, expect, it } from '@jest/globals';
import { containerOf, podOf } from '../environment.ts';
import { manifests, read, readVariables } from '../files.ts';

const folder = 'k8s/components/backup';
const jobs = manifests(`${folder}/jobs.yaml`).filter(({ kind }) => kind === 'CronJob');
const secretsOf = (name: string) =>
  readVariables(`k8s/overlays/production/secrets/${name.replace('covalence-', '')}.env.example`);

describe('the backup jobs', () => {
  it('run one at a time without rights, and a restore only on demand', () => {
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(['backup', 'backup-deletions', 'restore']);
    for (const job of jobs) {
      const name = job.metadata.name === 'restore' ? 'restore' : 'backup';
      expect(job.spec).toMatchObject({ concurrencyPolicy: 'Forbid', suspend: name === 'restore' });
      expect(podOf(job)).toMatchObject({
        serviceAccountName: name,
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(containerOf(job)).toMatchObject({
        image: 'covalence/cli',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
      });
    }
    const production = read('k8s/overlays/production/kustomization.yaml');
    expect(production).toContain('#   - ../../components/backup\n');
    expect(production).toContain('name: covalence/cli,');
  });

  it('have a complete environment, from Secrets of their own', () => {
    const shared = {
      ...readVariables('k8s/base/covalence.env'),
      ...readVariables('k8s/overlays/production/covalence.env'),
      ...readVariables(`${folder}/backup.env`),
    };
    for (const job of jobs) {
      const env = containerOf(job).env ?? [];
      const own = job.metadata.name === 'restore' ? 'covalence-restore' : 'covalence-backup';
      const refs = env.map((variable) => [variable.name, variable.valueFrom?.secretKeyRef] as const);
      expect(new Set(refs.map(([, ref]) => ref?.name))).toEqual(new Set([own]));
      const values = refs.map(([name, ref]) => [name, secretsOf(own)[ref?.key ?? ''] ?? '']);
      expect(
        backupSettings.safeParse({ ...shared, ...Object.fromEntries(values) }).error?.issues ?? [],
      ).toEqual([]);
      // Only a restore can read a backup.
      expect(env.some(({ name }) => name === 'BACKUP_IDENTITIES')).toBe(own === 'covalence-restore');
    }
  });

  it('reach their stores and nothing else', () => {
    const policies = manifests(`${folder}/network-policies.yaml`).map(({ metadata, spec }) => [
      metadata.name,
      spec.podSelector?.matchLabels,
      (spec.egress ?? []).flatMap(({ ports }) => ports.map(({ port }) => port)),
    ]);
    expect(policies).toEqual([
      ['backup', { 'app.kubernetes.io/name': 'backup' }, [27_017, 443]],
      ['restore', { 'app.kubernetes.io/name': 'restore' }, [27_017, 443, 5671, 5672, 6379, 9200]],
    ]);
  });
});
