import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROUTES } from '@trawl/contract';
import { settingNames } from '@trawl/server';
import { SETTINGS, secretNames } from '@trawl/server/testing';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../scripts/source-files.mjs';
import {
  at,
  contextFiles,
  documents,
  fields,
  filesOf,
  items,
  text,
  valuesOf,
} from './support/deploy-files.ts';

const MANIFESTS = 'deploy/kubernetes/';
/** Variables of Node.js and of other programs. */
const OTHERS = ['NODE_ENV', 'PATH'];

const dockerfile = text('Dockerfile');
const unit = text('deploy/systemd/trawl.service');
const npmStart: string = JSON.parse(text('package.json')).scripts.start;
/** What it gives the engine. */
const startFlags = npmStart.match(/--\S+/g) ?? [];
const [compose] = documents('deploy/compose.yaml');
const services = fields(at(compose, 'services'));
const manifests = filesOf(MANIFESTS)
  .filter((path) => !path.endsWith('kustomization.yaml'))
  .flatMap(documents);
const manifest = (kind: string): unknown =>
  manifests.find((document) => at(document, 'kind') === kind);
const pod = at(manifest('Deployment'), 'spec.template.spec');
const settingsOfPods = fields(at(manifest('ConfigMap'), 'data'));

const imageSettings = Object.fromEntries(
  [...(/^ENV [\s\S]*?[^\\]\n/m.exec(dockerfile)?.[0] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);
const unitSettings = Object.fromEntries(
  [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const given: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['Dockerfile', imageSettings],
  ['compose.yaml', fields(at(services, 'trawl.environment'))],
  ['configmap.yaml', settingsOfPods],
  ['trawl.service', unitSettings],
];

describe.each(given)('the settings in %s', (_file, settings) => {
  test('exist', () => {
    const known = [...settingNames(), ...OTHERS];
    expect(Object.keys(settings)).not.toEqual([]);
    expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('have no secret as a value', () => {
    const secrets = Object.keys(settings).filter((name) => secretNames().includes(name));
    expect(secrets).toEqual([]);
  });
});

test('images have a tag of a version, and passwords come from files', () => {
  const images = [...valuesOf(compose, 'image'), ...valuesOf(manifests, 'image')].map(String);
  expect(images.length).toBeGreaterThan(4);
  for (const image of images) expect(image).toMatch(/:\d+\.\d+[\w.-]*\}?$/);
  expect(dockerfile).toMatch(/^ARG BASE=\S+:\d[\w.-]+$/m);
  const passwords = Object.values(services)
    .flatMap((service) => Object.keys(fields(at(service, 'environment'))))
    .filter((name) => /PASSWORD|SECRET|TOKEN|KEY/.test(name) && !name.endsWith('_FILE'));
  expect(passwords).toEqual([]);
  expect(manifests.map((document) => at(document, 'kind'))).not.toContain('Secret');
});

describe('the image', () => {
  const user = /^USER (\d+):(\d+)$/m.exec(dockerfile)?.slice(1).map(Number) ?? [];

  test('is for one user with a number, which Compose and Kubernetes set too', () => {
    expect(user[0]).toBeGreaterThan(0);
    expect(at(services, 'trawl.user')).toBe(user.join(':'));
    const { runAsUser, runAsGroup, fsGroup } = fields(at(pod, 'securityContext'));
    expect([runAsUser, runAsGroup, fsGroup]).toEqual([user[0], user[1], user[1]]);
    expect(dockerfile).toContain(`--chown=${user.join(':')} /image/data /data`);
  });

  test('keeps its data in a volume that Compose and Kubernetes mount', () => {
    const [, folder] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
    const [, workingFolder = ''] = /^WORKDIR (\S+)\nUSER /m.exec(dockerfile) ?? [];
    expect(resolve(workingFolder, SETTINGS.dataDir.initial)).toBe(folder);
    expect(at(services, 'trawl.volumes.0')).toBe(`trawl:${folder}`);
    expect(valuesOf(pod, 'mountPath')).toContain(folder);
  });

  test('starts the program without a shell, and listens where all others look for it', () => {
    const command = JSON.stringify(['node', ...startFlags, '/app/bin/trawl.cjs']);
    expect(dockerfile).toContain(`\nENTRYPOINT ${command.replaceAll(',', ', ')}\n`);
    const { PORT } = imageSettings;
    expect(dockerfile).toContain(`\nEXPOSE ${PORT}\n`);
    expect(at(services, 'trawl.ports.0')).toMatch(new RegExp(`:${PORT}$`));
    expect(at(pod, 'containers.0.ports.0')).toEqual({ name: 'http', containerPort: Number(PORT) });
    expect(at(manifest('Service'), 'spec.ports.0.targetPort')).toBe('http');
  });

  test('and the probes ask for routes of the server', () => {
    const paths = Object.values(ROUTES).map(({ path }) => path);
    const checked = /127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\w+)/.exec(dockerfile)?.[1];
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) =>
      at(pod, `containers.0.${probe}.httpGet.path`),
    );
    expect(probes).toEqual(['/healthz', '/readyz', '/healthz']);
    expect([checked, ...probes].filter((path) => !paths.some((known) => known === path))).toEqual(
      [],
    );
  });

  test('has its packages in the versions of the lock file, whose top they must be at', () => {
    const { packages } = JSON.parse(text('package-lock.json'));
    const nested = Object.entries(fields(packages)).filter(
      ([path, entry]) => /^packages\/.*node_modules/.test(path) && at(entry, 'dev') !== true,
    );
    expect(nested.map(([path]) => path)).toEqual([]);
  });
});

test('the unit of systemd starts the server as npm does', () => {
  expect(unit).toContain(`\nExecStart=/usr/bin/${npmStart}\n`);
});

test('requests in progress have more than 30 s to finish, everywhere', () => {
  expect(Number.parseInt(String(at(services, 'trawl.stop_grace_period')), 10)).toBeGreaterThan(30);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
  const pause = Number(at(pod, 'containers.0.lifecycle.preStop.exec.command.1'));
  expect(Number(at(pod, 'terminationGracePeriodSeconds'))).toBeGreaterThan(30 + pause);
});

describe('the manifests', () => {
  test('select the pods by the label that they have, and are all in the kustomization', () => {
    const labels = at(manifest('Deployment'), 'spec.template.metadata.labels');
    expect(labels).toEqual({ 'app.kubernetes.io/name': 'trawl' });
    const selectors = [
      ...valuesOf(manifests, 'matchLabels'),
      at(manifest('Service'), 'spec.selector'),
    ];
    expect(selectors.length).toBeGreaterThan(4);
    for (const selector of selectors) expect(selector).toEqual(labels);
    const [kustomization] = documents(`${MANIFESTS}kustomization.yaml`);
    const listed = items(at(kustomization, 'resources')).map((name) => `${MANIFESTS}${name}`);
    expect(listed.sort()).toEqual(
      filesOf(MANIFESTS)
        .filter((path) => !path.endsWith('kustomization.yaml'))
        .toSorted(),
    );
    expect(valuesOf(manifests, 'namespace')).toEqual([]);
  });

  test('update without a gap, and restrict what a container may do', () => {
    expect(at(manifest('Deployment'), 'spec.strategy.rollingUpdate.maxUnavailable')).toBe(0);
    expect(at(manifest('HorizontalPodAutoscaler'), 'spec.minReplicas')).toBeGreaterThan(1);
    expect(at(pod, 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(at(pod, 'containers.0.securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(at(pod, 'containers.0.resources')).toMatchObject({
      requests: { cpu: expect.anything(), memory: expect.anything() },
      limits: { memory: expect.anything() },
    });
  });

  test('mount the secrets where the settings look for them', () => {
    const folder = at(pod, 'containers.0.volumeMounts.0.mountPath');
    const files = Object.entries(settingsOfPods).filter(([name]) => name.endsWith('_FILE'));
    expect(files.length).toBeGreaterThan(0);
    for (const [name, path] of files) expect(path).toBe(`${folder}/${name.replace('_FILE', '')}`);
  });
});

test('the context of the image has what its build reads', () => {
  const context = new Set(contextFiles());
  const scripts = new Set(['packages/cli/scripts/build.mjs']);
  for (const path of scripts)
    for (const [, from = ''] of text(path).matchAll(/\sfrom '(\..*)'/g))
      scripts.add(join(dirname(path), from));
  const named = [...scripts].flatMap((path) =>
    [...text(path).matchAll(/'([\w./-]+)'/g)].map(([, name = '']) => name),
  );
  const read = named.filter(
    (name) => existsSync(join(ROOT, name)) && !/^[./]|^dist\b|node_modules/.test(name),
  );
  expect(read).toContain('skills/trawl/SKILL.md');
  const isThere = (name: string) => [...context].some((path) => `${path}/`.startsWith(`${name}/`));
  expect([...scripts, ...read].filter((name) => !isThere(name))).toEqual([]);
});
