/** The import rules of docs/architecture.md: who may import whom. */
const anyPackage = '^(apps|gateway|services|stack|cli|seed|libs|tests|documents)/';

/** Imports that each library is allowed, beside itself. */
const mayImport = {
  contract: [],
  runtime: ['contract'],
  geography: ['contract'],
  http: ['runtime', 'contract'],
  events: ['runtime', 'contract'],
  migrations: ['events', 'runtime', 'contract'],
};

const libRules = Object.entries(mayImport).map(([lib, others]) => ({
  name: `lib-${lib}`,
  comment: `libs/${lib} may import ${others.join(' and ') || 'no other package'}`,
  severity: 'error',
  from: { path: `^libs/${lib}/src/` },
  to: { path: anyPackage, pathNot: [lib, ...others].map((name) => `^libs/${name}/`) },
}));

/**
 * The folders of each service's `src` in the order of their imports: a folder imports only folders behind it in its list.
 * `.` is `src` itself. A subfolder has its own place in the list, before or behind its parent.
 */
const layers = require('./.dependency-layers.json');

/** The files of a folder of a service, without those of its subfolders. */
const filesOf = (service, folder) => `^services/${service}/src/${folder === '.' ? '' : `${folder}/`}[^/]+$`;

const layerRules = Object.entries(layers).flatMap(([service, folders]) => [
  ...folders.slice(1).map((folder, index) => ({
    name: `layers-${service}-${folder}`,
    comment: `${folder} may import only the folders behind it in the table of layers`,
    severity: 'error',
    from: { path: filesOf(service, folder) },
    to: { path: folders.slice(0, index + 1).map((other) => filesOf(service, other)) },
  })),
  {
    name: `layers-${service}-complete`,
    comment: 'Every folder stands in the table of layers.',
    severity: 'error',
    from: {
      path: `^services/${service}/src/.+/`,
      pathNot: folders.map((folder) => filesOf(service, folder)),
    },
    to: {},
  },
]);

const drivers = 'node_modules/(mongoose|ioredis|@elastic/elasticsearch|amqplib|amqp-connection-manager)/';

module.exports = {
  forbidden: [
    ...libRules,
    ...layerRules,
    {
      name: 'client-runs-anywhere',
      comment: 'libs/client runs in browsers and on phones: no other package, nothing of Node.',
      severity: 'error',
      from: { path: '^libs/client/src/' },
      to: { path: anyPackage, pathNot: '^libs/client/' },
    },
    {
      name: 'apps-call-by-the-client',
      comment:
        'A web application knows the system by its interface: @covalence/client is the only way to it.',
      severity: 'error',
      from: { path: '^apps/[a-z]+/src/' },
      to: { path: anyPackage, pathNot: '^(apps|libs/client)/' },
    },
    {
      name: 'nobody-imports-apps',
      severity: 'error',
      from: { path: anyPackage, pathNot: '^apps/' },
      to: { path: '^apps/' },
    },
    {
      name: 'features-stay-apart',
      comment:
        'A folder of features, named like its section of the menu, imports the frame and no other feature.',
      severity: 'error',
      from: { path: '^apps/console/src/([a-z]+)/', pathNot: '^apps/console/src/(api|layout|session|texts)/' },
      to: { path: '^apps/console/src/[a-z]+/', pathNot: '^apps/console/src/(api|layout|session|texts|$1)/' },
    },
    {
      name: 'client-has-nothing-of-node',
      severity: 'error',
      from: { path: '^libs/client/src/' },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'An import that cannot be resolved would slip past every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'services-import-libs-only',
      severity: 'error',
      from: { path: '^services/([a-z]+)/' },
      to: { path: '^(gateway|services|stack|cli|seed|documents)/', pathNot: '^services/$1/' },
    },
    {
      name: 'gateway-imports-libs-only',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^(services|stack|cli|seed|documents)/' },
    },
    {
      name: 'cli-over-stack-over-seed',
      severity: 'error',
      from: { path: '^(stack|seed)/src/' },
      to: { path: '^(gateway|services|cli|documents)/' },
    },
    {
      name: 'seed-imports-libs-only',
      severity: 'error',
      from: { path: '^seed/src/' },
      to: { path: '^stack/' },
    },
    {
      name: 'only-tests-import-testing',
      severity: 'error',
      from: { path: '/src/', pathNot: '^(libs/testing|tests/fakes)/' },
      to: { path: '^(libs/testing|tests/fakes)/' },
    },
    {
      name: 'express-stays-out-of-stores',
      severity: 'error',
      from: { path: '-store\\.ts$' },
      to: { path: 'node_modules/(express|http-proxy-middleware)/' },
    },
    {
      name: 'drivers-stay-in-stores',
      comment: 'Operations call stores; only stores and the context speak to a driver.',
      severity: 'error',
      from: {
        path: '^(gateway|services/[a-z]+)/src/',
        pathNot: '(-store|-index|-adapter|-engine|/context)\\.ts$',
      },
      to: { path: drivers, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stores-are-the-lowest-layer',
      comment: 'main -> context, app -> routes -> operations -> stores.',
      severity: 'error',
      from: { path: '-store\\.ts$' },
      to: { path: '/(routes|app|main|context)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(/dist/|/\\.data/|generated-clients/journeys/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts'],
    },
  },
};
