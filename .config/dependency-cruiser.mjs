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
      from: { path: '^adapters/([^/]+)/', pathNot: '^adapters/(kit|partner)/' },
      to: { path: '^adapters/', pathNot: '^adapters/($1|kit)/' },
    },
    {
      name: 'partner-imports-only-client-and-kit',
      severity: 'error',
      from: { path: '^adapters/partner/' },
      to: {
        path: '^(domain|application|adapters|bootstrap)/',
        pathNot: '^adapters/(partner|client|kit/sheets)/',
      },
    },
    {
      name: 'a-kit-imports-no-adapter',
      severity: 'error',
      from: { path: '^adapters/kit/' },
      to: { path: '^adapters/', pathNot: '^adapters/kit/' },
    },
    {
      // The words of refusals need the types of the refusals.
      name: 'a-kit-calls-no-use-case',
      severity: 'error',
      from: { path: '^adapters/kit/', pathNot: '/refusal-answers.ts$' },
      to: {
        path: '^application/(selling|saga|servicing|collection|certificates|mail|evidence|statements)/',
      },
    },
    {
      name: 'client-imports-only-itself',
      severity: 'error',
      from: { path: '^adapters/client/' },
      to: { pathNot: '^adapters/client/' },
    },
    {
      name: 'service-does-not-import-its-client',
      severity: 'error',
      from: { pathNot: '^(adapters/(client|partner)|test)/' },
      to: { path: '^adapters/client/' },
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
      name: 'folders-of-the-adapters-form-no-circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^adapters' },
      to: { circular: true },
    },
    {
      name: 'folders-of-the-bootstrap-form-no-circle',
      scope: 'folder',
      severity: 'error',
      from: { path: '^bootstrap' },
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
    exclude: { path: '(^|/)(coverage|\\.data)/|^(domain|adapters/(client|partner))/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
