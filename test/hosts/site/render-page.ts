import type { EditorPage } from 'content-orchestrator/site'

type Props = Readonly<Record<string, unknown>>

/** The HTML of each block type; `data-block-id` lets the live preview replace single blocks. */
const blocks: Readonly<Record<string, (props: Props) => string>> = {
  Hero: ({ heading, subheading }) => `<h1>${escape(heading)}</h1><p>${escape(subheading)}</p>`,
  RichText: ({ title, body }) => `<h2>${escape(title)}</h2><p>${escape(body)}</p>`,
}

/** Escapes text for HTML. */
function escape(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : ''
}

/** Renders a page, or a not-found page, with the script of the live preview. */
export function renderPage({ page, slugs }: EditorPage, script: string): string {
  const links = slugs.map((slug) => `<li><a href="${escape(slug)}">${escape(slug)}</a></li>`)
  const shown = page?.blocks.map(({ id, type, props }) => `<section data-block-id="${escape(id)}">${blocks[type]?.(props) ?? ''}</section>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escape(page?.title ?? 'Not found')}</title>
<nav><ul>${links.join('')}</ul><input type="search" aria-label="Search"></nav>
<main>${shown?.join('\n') ?? '<h1>There is no such page.</h1>'}</main>
${script && `<script>${script}</script>`}
</html>`
}
