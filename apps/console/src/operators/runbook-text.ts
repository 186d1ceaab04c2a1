/** A part of a line: text, code, emphasis, or a link to another section. */
export interface Span {
  readonly kind: 'text' | 'code' | 'strong' | 'link';
  readonly text: string;
  /** Of a link: the section. */
  readonly section?: string;
}

/** A paragraph, or a numbered list. */
export type Block =
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Span[])[] };

/** A section of the runbooks. */
export interface Section {
  /** As links name it. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Code, emphasis, or a link; a link out of the page shows its text only. */
const marked = /`([^`]+)`|\*\*([^*]+)\*\*|\[((?:`[^`]*`|[^\]])+)\]\(([^)]+)\)/g;

function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(marked)) {
    const [whole, code, strong, label, address] = match;
    if (match.index > from) spans.push({ kind: 'text', text: text.slice(from, match.index) });
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (strong !== undefined) spans.push({ kind: 'strong', text: strong });
    else if (label !== undefined && address?.startsWith('#'))
      spans.push({ kind: 'link', text: label, section: address.slice(1) });
    else spans.push({ kind: 'code', text: address ?? whole });
    from = match.index + whole.length;
  }
  return from < text.length ? [...spans, { kind: 'text', text: text.slice(from) }] : spans;
}

const joined = (lines: string) => lines.trim().replaceAll(/\s*\n\s*/g, ' ');

function blockOf(text: string): Block {
  if (!/^\d+\. /.test(text)) return { kind: 'paragraph', spans: spansOf(joined(text)) };
  const items = text.split(/^\d+\. /m).filter((item) => item.trim());
  return { kind: 'list', items: items.map((item) => spansOf(joined(item))) };
}

/** The sections of the runbooks. */
export function sectionsOf(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const blocks = lines
        .join('\n')
        .split(/\n{2,}/)
        .filter((block) => block.trim());
      return {
        name: title.trim().toLowerCase().replaceAll(' ', '-'),
        title: title.trim(),
        blocks: blocks.map((block) => blockOf(block.trim())),
      };
    });
}
