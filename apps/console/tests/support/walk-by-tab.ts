/// <reference lib="dom" />
import type { JSHandle, Page } from 'playwright-core';

/** Attribute of the controls of a page; the radio buttons of a group are one. */
const attribute = 'data-stop';

/** Marks the controls that a person sees; resolves with the HTML of each by its mark. */
const markControls = (page: Page): Promise<Record<string, string>> =>
  page.evaluate((attribute) => {
    const found = document.querySelectorAll<HTMLInputElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    );
    const seen = [...found].filter(
      (one) =>
        one.tabIndex >= 0 &&
        !one.disabled &&
        !one.closest('[inert]') &&
        one.checkVisibility({ visibilityProperty: true }),
    );
    return Object.fromEntries(
      seen.map((one, at) => {
        const mark = one.type === 'radio' ? one.name : String(at);
        one.setAttribute(attribute, mark);
        return [mark, one.outerHTML.slice(0, 200)];
      }),
    );
  }, attribute);

/** The findings of going through a page by Tab. */
export interface Walk {
  /** The number of controls. */
  readonly controls: number;
  /** Whether the focus does not come round. */
  readonly isTrapped: boolean;
  /** Controls that Tab does not reach, as HTML. */
  readonly unreached: readonly (string | undefined)[];
  /** Controls that look the same with and without the focus. */
  readonly unshown: readonly (string | undefined)[];
}

/** The focused element. */
const focusedOn = (page: Page): Promise<JSHandle<Element>> =>
  page.evaluateHandle(() => document.activeElement ?? document.body);

/** The style of a control that may show that it has the focus. Parts of its component stand for an input. */
const lookOf = (control: JSHandle<Element>): Promise<string> =>
  control.evaluate((one) => {
    for (const motion of document.getAnimations()) if (motion instanceof CSSTransition) motion.finish();
    const parts =
      one instanceof HTMLInputElement ? [one.parentElement, one.nextElementSibling, one.labels?.[0]] : [];
    return [one, ...parts]
      .map((part) => {
        if (!part) return '';
        const { outline, outlineStyle, borderColor, boxShadow, top } = getComputedStyle(part);
        return [outlineStyle === 'none' || outline, borderColor, boxShadow, top].join(' ');
      })
      .join('\n');
  });

/** Goes through a page by Tab, from its first control until that has the focus again. */
export async function walkByTab(page: Page): Promise<Walk> {
  const controls = await markControls(page);
  const marks = Object.keys(controls);
  const reached = new Set<string>();
  const shown = new Set<string>();
  await page.locator(`[${attribute}]`).first().focus();
  const first = await focusedOn(page);
  // Some controls have several stops, such as the parts of a date.
  const mostStops = 2 * marks.length + 20;
  let isTrapped = true;
  for (let stops = 0; isTrapped && stops < mostStops; stops += 1) {
    const focused = await focusedOn(page);
    const mark = await focused.evaluate((one, name) => one.getAttribute(name), attribute);
    const look = await lookOf(focused);
    await page.keyboard.press('Tab');
    if (mark !== null) {
      reached.add(mark);
      if ((await lookOf(focused)) !== look) shown.add(mark);
    }
    isTrapped = !(await first.evaluate((one) => one === document.activeElement));
  }
  const without = (set: ReadonlySet<string>) =>
    marks.filter((mark) => !set.has(mark)).map((mark) => controls[mark]);
  return { controls: marks.length, isTrapped, unreached: without(reached), unshown: without(shown) };
}
