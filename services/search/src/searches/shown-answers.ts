import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { invalidArgument } from '@covalence/contract/failure';
import type { Site, Sites } from '@covalence/contract/sites';

type WithSites = { readonly sites: Sites };

/** Whether a site shows an answer with results: it accepts the field and lets everyone read it. */
function isShown(name: string, site: Site | undefined): boolean {
  const field = answerByName(name);
  if (!field || !site) return false;
  return !site.rejected_fields.includes(name) && isForEveryone(field, site);
}

/** Filters the answers that a site shows with results. */
export function shownAnswers(names: readonly string[], siteid: number, { sites }: WithSites): string[] {
  return names.filter((name) => isShown(name, sites.get(siteid)));
}

/** Throws 403 without code if a site does not show one of the answers. */
export function checkShown(names: readonly string[], siteid: number, context: WithSites): void {
  if (shownAnswers(names, siteid, context).length < names.length) throw invalidArgument();
}

/** Whether explanations may include a criterion for a member of this site: it would reveal answers that only their owner reads. */
export function mayExplain(criterion: string, siteid: unknown, { sites }: WithSites): boolean {
  const field = answerByName(criterionByName(criterion)?.field ?? '');
  const site = typeof siteid === 'number' ? sites.get(siteid) : undefined;
  return !field || (site !== undefined && isForEveryone(field, site));
}
