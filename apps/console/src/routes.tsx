import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';
import { Layout } from './layout/layout.tsx';
import { mayOpen, menu, type MenuEntry } from './layout/menu.ts';
import { Broken, NotFound, Welcome } from './layout/welcome.tsx';
import { auditFilterIn } from './operators/audit-filter.ts';
import { comparedIn } from './search/compared-search.ts';
import { WorkbenchProvider } from './search/workbench.tsx';
import { PersonProvider, type Person } from './session/person.ts';
import { reportFilterIn } from './service/report-filter.ts';
import { waitedIn } from './service/waited-filter.ts';
import { basePath } from './settings.ts';

/** Creates the pages for a person. Each page is a file of its own, loaded when it is opened first. */
export function createPageRouter(person: Person) {
  const root = createRootRoute({
    component: () => (
      <PersonProvider value={person}>
        <WorkbenchProvider>
          <Layout />
        </WorkbenchProvider>
      </PersonProvider>
    ),
    notFoundComponent: NotFound,
  });
  const at = <Path extends string>(path: Path) => ({ getParentRoute: () => root, path });
  const first = menu.flatMap<MenuEntry>(({ entries }) => entries).find((entry) => mayOpen(entry, person));
  const home = createRoute({
    ...at('/'),
    component: Welcome,
    beforeLoad: () => {
      if (first) throw redirect({ to: first.to, replace: true });
    },
  });
  const page = <Path extends string, Name extends string>(
    path: Path,
    load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
    name: Name,
  ) => createRoute({ ...at(path), component: lazyRouteComponent(load, name) });
  const review = createRoute({
    ...at('/service/queue/$kind'),
    component: lazyRouteComponent(() => import('./service/review-page.tsx'), 'ReviewPage'),
    validateSearch: ({ site, flagged, sort, ...others }: Readonly<Record<string, unknown>>) => ({
      ...(typeof site === 'number' && { site }),
      ...(flagged === true && { flagged }),
      ...(sort === 'risk' && ({ sort } as const)),
      ...waitedIn(others),
    }),
  });
  const reports = createRoute({
    ...at('/service/reports'),
    validateSearch: reportFilterIn,
    component: lazyRouteComponent(() => import('./service/reports-page.tsx'), 'ReportsPage'),
  });
  const report = createRoute({
    ...at('/service/reports/$reported/$reporter'),
    validateSearch: reportFilterIn,
    component: lazyRouteComponent(() => import('./service/report-page.tsx'), 'ReportPage'),
  });
  const compare = createRoute({
    ...at('/search/compare'),
    validateSearch: comparedIn,
    component: lazyRouteComponent(() => import('./search/compare-page.tsx'), 'ComparePage'),
  });
  const audit = createRoute({
    ...at('/operators/audit'),
    validateSearch: auditFilterIn,
    component: lazyRouteComponent(() => import('./operators/audit-page.tsx'), 'AuditPage'),
  });
  return createRouter({
    routeTree: root.addChildren([
      home,
      page('/service/find', () => import('./service/find-page.tsx'), 'FindPage'),
      page('/service/members/$id', () => import('./service/member-page.tsx'), 'MemberPage'),
      page('/service/queue', () => import('./service/queue-page.tsx'), 'QueuePage'),
      review,
      reports,
      report,
      page('/service/appeals', () => import('./service/appeals-page.tsx'), 'AppealsPage'),
      page('/service/bans', () => import('./service/bans-page.tsx'), 'BansPage'),
      page('/service/scams', () => import('./service/scams-page.tsx'), 'ScamsPage'),
      page('/service/approvals', () => import('./service/approvals-page.tsx'), 'ApprovalsPage'),
      page('/search/settings', () => import('./search/settings-page.tsx'), 'SettingsPage'),
      page('/search/synonyms', () => import('./search/synonyms-page.tsx'), 'SynonymsPage'),
      compare,
      page('/search/experiments', () => import('./search/usage/experiments-page.tsx'), 'ExperimentsPage'),
      page('/search/usage', () => import('./search/usage/usage-page.tsx'), 'UsagePage'),
      page('/search/judgments', () => import('./search/judgments/judgments-page.tsx'), 'JudgmentsPage'),
      page('/search/judgments/$set', () => import('./search/judgments/set-page.tsx'), 'SetPage'),
      audit,
      page('/operators/transparency', () => import('./operators/transparency-page.tsx'), 'TransparencyPage'),
      page('/operators/status', () => import('./operators/status-page.tsx'), 'StatusPage'),
      page('/operators/letters', () => import('./operators/letters-page.tsx'), 'LettersPage'),
      page('/operators/runbooks', () => import('./operators/runbooks-page.tsx'), 'RunbooksPage'),
    ]),
    basepath: basePath,
    defaultErrorComponent: Broken,
  });
}

/** The pages of a person. */
export type PageRouter = ReturnType<typeof createPageRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: PageRouter;
  }
}
