/** Who may import whom: see the README. A rule names what it forbids. */

export default {
  forbidden: [
    {
      name: 'domain-imports-only-itself',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'application-imports-only-domain-and-itself',
      severity: 'error',
      from: { path: '^application/' },
      to: { pathNot: '^(application|domain)/' },
    },
    {
      name: 'adapters-import-no-bootstrap-and-no-test',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^(bootstrap|test)/' },
    },
    {
      name: 'an-adapter-imports-no-other-adapter',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'http-base-imports-no-endpoint',
      severity: 'error',
      from: { path: '^adapters/http/(server|contract|pipeline)/' },
      to: {
        path: '^adapters/http/',
        pathNot: '^adapters/http/(server|contract|pipeline)/',
      },
    },
    {
      name: 'client-imports-only-itself',
      severity: 'error',
      from: { path: '^adapters/http/client/' },
      to: { pathNot: '^adapters/http/client/' },
    },
    {
      name: 'service-does-not-import-its-client',
      severity: 'error',
      from: { pathNot: '^(adapters/http/client|test)/' },
      to: { path: '^adapters/http/client/' },
    },
    {
      name: 'inversify-lives-in-bootstrap',
      severity: 'error',
      from: { pathNot: '^(bootstrap|test)/' },
      to: { path: 'node_modules/inversify' },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-dev-dependency-in-production',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'folders-of-the-domain-form-no-circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^domain/src' },
      to: { circular: true },
    },
    {
      name: 'folders-of-the-application-form-no-circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^application' },
      to: { circular: true },
    },
    {
      name: 'folders-of-the-persistence-form-no-circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^adapters/persistence' },
      to: { circular: true },
    },
    {
      // The packages of the benchmark are installed by its first run only.
      name: 'no-unresolvable',
      severity: 'error',
      from: { pathNot: '^test/benchmark/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(coverage|\\.data)/|^(domain|adapters/http/client)/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
