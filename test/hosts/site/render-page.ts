import type { EditorPage } from 'content-orchestrator/site'
import { marks } from 'content-orchestrator/site/bridge'

type Block = NonNullable<EditorPage['page']>['blocks'][number]
type Props = Readonly<Record<string, unknown>>

/** The HTML of each block type. The marks say which field an element shows, so that it can be edited on the page. */
const blocks: Readonly<Record<string, (block: Block) => string>> = {
  Hero: (block) => `${text(block, 'h1', 'heading')}${text(block, 'p', 'subheading')}${link(block)}
    <span ${attributes(marks(block, 'imageUrl', { kind: 'image' }))}><img src="${escape(block.props['imageUrl'])}" alt="${escape(block.props['imageAlt'])}" height="90"></span>`,
  RichText: (block) => `${text(block, 'h2', 'title')}<div ${attributes(marks(block, 'body', { kind: 'richtext' }))}>${paragraphs(block.props['body'])}</div>`,
  CardGrid: (block) => `${text(block, 'h2', 'title')}<ul>${rows(block.props['cards'])
    .map((card, at) => `<li ${attributes(marks(block, `cards[${at}]`))}>${text(block, 'h3', `cards[${at}].title`, card['title'])}${text(block, 'p', `cards[${at}].description`, card['description'])}</li>`)
    .join('')}</ul>`,
  CTA: (block) => `${text(block, 'h2', 'title')}${link(block)}`,
}

/** An element with the text of one field; an empty field has none. */
function text(block: Block, tag: string, path: string, value = block.props[path]): string {
  return value ? `<${tag} ${attributes(marks(block, path))}>${escape(value)}</${tag}>` : ''
}

function link(block: Block): string {
  const { ctaText, ctaHref } = block.props
  return ctaText ? `<a href="${escape(ctaHref)}" ${attributes(marks(block, 'ctaText'))}>${escape(ctaText)}</a>` : ''
}

const paragraphs = (value: unknown): string =>
  String(value ?? '')
    .split(/\n{2,}/)
    .map((each) => `<p>${escape(each)}</p>`)
    .join('')

const rows = (value: unknown): readonly Props[] => (Array.isArray(value) ? value : [])

const attributes = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(' ')

/** Escapes text for HTML. */
function escape(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : ''
}

/** Renders a page, or a not-found page, with the script of the live preview. */
export function renderPage({ page, slugs }: EditorPage, script: string): string {
  const links = slugs.map((slug) => `<li><a href="${escape(slug)}">${escape(slug)}</a></li>`)
  const shown = page?.blocks.map((block) => `<section ${attributes(marks(block))}>${blocks[block.type]?.(block) ?? ''}</section>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(page?.title ?? 'Not found')}</title>
<nav><ul>${links.join('')}</ul><input type="search" aria-label="Search"></nav>
<main data-updated-at="${escape(page?.updatedAt)}">${shown?.join('\n') ?? '<h1>There is no such page.</h1>'}</main>
${script && `<script>${script}</script>`}
</html>`
}
