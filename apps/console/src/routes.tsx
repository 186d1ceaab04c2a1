import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Layout } from './layout/layout.tsx';
import { mayOpen, menu, type MenuEntry } from './layout/menu.ts';
import { Broken, NotFound, Welcome } from './layout/welcome.tsx';
import { auditFilterIn } from './operators/audit-filter.ts';
import { comparedIn } from './search/compared-search.ts';
import { PersonProvider, type Person } from './session/person.ts';
import { reportFilterIn } from './service/report-filter.ts';
import { basePath } from './settings.ts';

/** Creates the pages for a person. Each page is a file of its own, loaded when it is opened first. */
export function createPageRouter(person: Person) {
  const root = createRootRoute({
    component: () => (
      <PersonProvider value={person}>
        <Layout />
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
  const serviceFind = createRoute({
    ...at('/service/find'),
    component: lazyRouteComponent(() => import('./service/find-page.tsx'), 'FindPage'),
  });
  const serviceMember = createRoute({
    ...at('/service/members/$id'),
    component: lazyRouteComponent(() => import('./service/member-page.tsx'), 'MemberPage'),
  });
  const serviceQueue = createRoute({
    ...at('/service/queue'),
    component: lazyRouteComponent(() => import('./service/queue-page.tsx'), 'QueuePage'),
  });
  const serviceReview = createRoute({
    ...at('/service/queue/$kind'),
    component: lazyRouteComponent(() => import('./service/review-page.tsx'), 'ReviewPage'),
    validateSearch: ({ site, flagged, sort }: Readonly<Record<string, unknown>>) => ({
      ...(typeof site === 'number' && { site }),
      ...(flagged === true && { flagged }),
      ...(sort === 'risk' && ({ sort } as const)),
    }),
  });
  const serviceReports = createRoute({
    ...at('/service/reports'),
    validateSearch: reportFilterIn,
    component: lazyRouteComponent(() => import('./service/reports-page.tsx'), 'ReportsPage'),
  });
  const serviceReport = createRoute({
    ...at('/service/reports/$reported/$reporter'),
    validateSearch: reportFilterIn,
    component: lazyRouteComponent(() => import('./service/report-page.tsx'), 'ReportPage'),
  });
  const serviceAppeals = createRoute({
    ...at('/service/appeals'),
    component: lazyRouteComponent(() => import('./service/appeals-page.tsx'), 'AppealsPage'),
  });
  const serviceBans = createRoute({
    ...at('/service/bans'),
    component: lazyRouteComponent(() => import('./service/bans-page.tsx'), 'BansPage'),
  });
  const serviceScams = createRoute({
    ...at('/service/scams'),
    component: lazyRouteComponent(() => import('./service/scams-page.tsx'), 'ScamsPage'),
  });
  const serviceApprovals = createRoute({
    ...at('/service/approvals'),
    component: lazyRouteComponent(() => import('./service/approvals-page.tsx'), 'ApprovalsPage'),
  });
  const searchSettings = createRoute({
    ...at('/search/settings'),
    component: lazyRouteComponent(() => import('./search/settings-page.tsx'), 'SettingsPage'),
  });
  const searchSynonyms = createRoute({
    ...at('/search/synonyms'),
    component: lazyRouteComponent(() => import('./search/synonyms-page.tsx'), 'SynonymsPage'),
  });
  const searchCompare = createRoute({
    ...at('/search/compare'),
    validateSearch: comparedIn,
    component: lazyRouteComponent(() => import('./search/compare-page.tsx'), 'ComparePage'),
  });
  const searchExperiments = createRoute({
    ...at('/search/experiments'),
    component: lazyRouteComponent(() => import('./search/usage/experiments-page.tsx'), 'ExperimentsPage'),
  });
  const searchUsage = createRoute({
    ...at('/search/usage'),
    component: lazyRouteComponent(() => import('./search/usage/usage-page.tsx'), 'UsagePage'),
  });
  const judgments = createRoute({
    ...at('/search/judgments'),
    component: lazyRouteComponent(() => import('./search/judgments/judgments-page.tsx'), 'JudgmentsPage'),
  });
  const judgmentSet = createRoute({
    ...at('/search/judgments/$set'),
    component: lazyRouteComponent(() => import('./search/judgments/set-page.tsx'), 'SetPage'),
  });
  const audit = createRoute({
    ...at('/operators/audit'),
    validateSearch: auditFilterIn,
    component: lazyRouteComponent(() => import('./operators/audit-page.tsx'), 'AuditPage'),
  });
  const transparency = createRoute({
    ...at('/operators/transparency'),
    component: lazyRouteComponent(() => import('./operators/transparency-page.tsx'), 'TransparencyPage'),
  });
  const operationsStatus = createRoute({
    ...at('/operators/status'),
    component: lazyRouteComponent(() => import('./operators/status-page.tsx'), 'StatusPage'),
  });
  const operationsLetters = createRoute({
    ...at('/operators/letters'),
    component: lazyRouteComponent(() => import('./operators/letters-page.tsx'), 'LettersPage'),
  });
  const operationsRunbooks = createRoute({
    ...at('/operators/runbooks'),
    component: lazyRouteComponent(() => import('./operators/runbooks-page.tsx'), 'RunbooksPage'),
  });
  return createRouter({
    routeTree: root.addChildren([
      home,
      serviceFind,
      serviceMember,
      serviceQueue,
      serviceReview,
      serviceReports,
      serviceReport,
      serviceAppeals,
      serviceBans,
      serviceScams,
      serviceApprovals,
      searchSettings,
      searchSynonyms,
      searchCompare,
      searchExperiments,
      searchUsage,
      judgments,
      judgmentSet,
      audit,
      transparency,
      operationsStatus,
      operationsLetters,
      operationsRunbooks,
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
