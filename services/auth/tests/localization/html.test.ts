import { describe, expect, it } from '@jest/globals';
import { markup } from '../../src/localization/html.ts';

describe('pages', () => {
  it('escape every value that is not markup', () => {
    const text = markup`<p title="${`"'`}">${'<b>&'}${[markup`<i>`, 'x>', undefined, false]}</p>`.text;
    expect(text).toBe('<p title="&quot;&#39;">&lt;b&gt;&amp;<i>x&gt;</p>');
  });
});
