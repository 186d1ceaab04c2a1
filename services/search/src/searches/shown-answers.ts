import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { invalidArgument } from '@covalence/contract/failure';
import type { Site, Sites } from '@covalence/contract/sites';

type WithSites = { readonly sites: Sites };

/** Whether members of a site may have an answer shown with results: one that it takes and lets everyone read. */
function isShown(name: string, site: Site | undefined): boolean {
  const field = answerByName(name);
  if (!field || !site) return false;
  return !site.rejected_fields.includes(name) && isForEveryone(field, site);
}

/** Those of the answers that members of a site may have shown with results. */
export function shownAnswers(names: readonly string[], siteid: number, { sites }: WithSites): string[] {
  return names.filter((name) => isShown(name, sites.get(siteid)));
}

/** Refuses answers that members of a site may not have shown with results: 403 without code. */
export function checkShown(names: readonly string[], siteid: number, context: WithSites): void {
  if (shownAnswers(names, siteid, context).length < names.length) throw invalidArgument();
}

/** Whether what a criterion gave may be told of a member of this site: it tells an answer that its owner alone reads. */
export function mayExplain(criterion: string, siteid: unknown, { sites }: WithSites): boolean {
  const field = answerByName(criterionByName(criterion)?.field ?? '');
  const site = typeof siteid === 'number' ? sites.get(siteid) : undefined;
  return !field || (site !== undefined && isForEveryone(field, site));
}
