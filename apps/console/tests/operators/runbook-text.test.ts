import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { sectionsOf } from '../../src/operators/runbook-text.ts';

describe('the text of the runbooks', () => {
  it('has sections with paragraphs, lists, code and links', () => {
    const page = `# Runbooks\n\nWhatever.\n\n## CovalenceSlow\n\nSee \`GET /x\` of\n**all**: [CovalenceErrors](#covalenceerrors).\n\n1. Do\n   this.\n2. Then [deploy.md](deploy.md#upgrade).\n`;
    expect(sectionsOf(page)).toEqual([
      {
        name: 'covalenceslow',
        title: 'CovalenceSlow',
        blocks: [
          {
            kind: 'paragraph',
            spans: [
              { kind: 'text', text: 'See ' },
              { kind: 'code', text: 'GET /x' },
              { kind: 'text', text: ' of ' },
              { kind: 'strong', text: 'all' },
              { kind: 'text', text: ': ' },
              { kind: 'link', text: 'CovalenceErrors', section: 'covalenceerrors' },
              { kind: 'text', text: '.' },
            ],
          },
          {
            kind: 'list',
            items: [
              [{ kind: 'text', text: 'Do this.' }],
              [
                { kind: 'text', text: 'Then ' },
                { kind: 'code', text: 'deploy.md#upgrade' },
                { kind: 'text', text: '.' },
              ],
            ],
          },
        ],
      },
    ]);
  });

  it('leads from every link to a section', () => {
    const page = readFileSync(new URL('../../../../docs/runbooks.md', import.meta.url), 'utf8');
    const sections = sectionsOf(page);
    const spans = sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'list' ? block.items.flat() : block.spans)),
    );
    const names = sections.map(({ name }) => name);
    const linked = spans.flatMap(({ section }) => section ?? []);
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.filter((section) => !names.includes(section))).toEqual([]);
    expect(spans.filter(({ kind, text }) => kind === 'text' && /[`\]]|\]\(/.test(text))).toEqual([]);
  });
});
