import { html, raw, toMarkup, type Html, type HtmlValue } from '../../content/markup.ts'
import { navigationOf, type Navigation } from '../../content/navigation.ts'
import type { Block, Page, SiteConfig } from '../../content/page.ts'
import { renderBlock, type OwnBlocks } from './blocks.ts'
import { derivedHeader } from './chrome.ts'
import { cross } from './drawings.ts'
import { heading } from './parts.ts'
import { stylesheet } from './style.ts'
import { createIsOwn, safeFile } from './url.ts'

interface Frame {
  readonly navigation: Navigation
  readonly siteName: string
  /** For developers, shown at the top of the page. */
  readonly notice?: string | undefined
  /** A BCP 47 tag, such as `de`. */
  readonly lang?: string | undefined
}

export interface PageRender extends Frame {
  readonly page: Page
  readonly draft: boolean
  /** A script for the end of the page; it must not contain `</script`. */
  readonly script?: string | undefined
  /** For a page shown outside its site: the address of the site, if known. Links open in a new window. */
  readonly away?: { readonly from: string | undefined } | undefined
  /** Origins of the site, orchestrator and editors. Their frames have no origin; by default, none has. */
  readonly ownOrigins?: readonly string[] | undefined
  readonly blocks?: OwnBlocks | undefined
}

/**
 * Renders a page as a complete HTML document, with no script but the given one, and no requests except for
 * its images, films and frames. The header comes from the navigation unless the page has a header block. A
 * draft has a ribbon, and is not indexed by search engines.
 */
export function renderPage(render: PageRender): string {
  const { page, siteName, draft, lang, away } = render
  const base = away && html`<base${away.from !== undefined && html` href="${away.from}"`} target="_blank">`
  return renderDocument({
    lang,
    head: html`${base}${headOf(page, siteName)}${draft && html`<meta name="robots" content="noindex">`}`,
    body: bodyOf(render),
  })
}

function bodyOf({ page, navigation, notice, draft, script, away, ownOrigins, blocks }: PageRender): Html {
  const isOwn = createIsOwn(ownOrigins)
  const shown = (block: Block): Html => renderBlock(block, isOwn, { blocks, draft })
  const ofType = (type: string) => page.blocks.filter((block) => block.type === type).map(shown)
  const headers = ofType('SiteHeader')
  const main = page.blocks.filter(({ type }) => type !== 'SiteHeader' && type !== 'Footer').map(shown)
  return framed({
    notice,
    updatedAt: draft ? page.updatedAt : undefined,
    header: headers.length > 0 ? headers : derivedHeader(navigation),
    // Every page has a main heading, for navigation by headings.
    main: [
      !toMarkup(main).includes('<h1') && html`<div class="unseen">${heading(1, page.title)}</div>`,
      main,
    ],
    footer: [
      ofType('Footer'),
      draft && ribbon(page, away !== undefined),
      script && html`<script>${raw(script)}</script>`,
    ],
  })
}

/** Renders the mark of a draft: on its site a link to the published page. */
const ribbon = ({ slug }: Page, isAway: boolean): Html =>
  isAway
    ? html`<p class="ribbon">Draft</p>`
    : html`<a href="/api/editor/draft/disable?redirect=${encodeURIComponent(slug)}" title="Leave the draft" class="ribbon">Draft${cross}</a>`

/** Renders the answer to an address without a page. */
export function renderNotFound({ navigation, siteName, notice, lang }: Frame): string {
  return renderDocument({
    lang,
    head: html`<title>Page not found · ${siteName}</title><meta name="robots" content="noindex">`,
    body: framed({
      notice,
      header: derivedHeader(navigation),
      main: html`<section class="block"><div class="cta">
      <h1>Page not found</h1>
      <p class="lead">There is no page at this address. It may have moved or been removed.</p>
      <p class="actions"><a class="button primary" href="/">Go to the home page</a></p>
    </div></section>`,
    }),
  })
}

const styles = html`<style>${raw(stylesheet)}</style>`

function framed({
  notice,
  header,
  main,
  footer,
  updatedAt,
}: {
  readonly notice: string | undefined
  /** The version of a draft page. */
  readonly updatedAt?: string | undefined
  readonly header: HtmlValue
  readonly main: HtmlValue
  readonly footer?: HtmlValue
}): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
${notice !== undefined && html`<p class="notice" role="note">${notice}</p>`}
${header}
<main id="content"${updatedAt !== undefined && html` data-updated-at="${updatedAt}"`}>
${main}
</main>
${footer}`
}

function renderDocument({ lang = 'en', head, body }: Pick<Frame, 'lang'> & Record<'head' | 'body', Html>) {
  return toMarkup(html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}
<link rel="icon" href="data:,">
${styles}
</head>
<body>
${body}
</body>
</html>
`)
}

function headOf({ title, meta = {} }: Page, siteName: string): Html {
  const shown = meta.title || (title === siteName ? title : `${title} · ${siteName}`)
  const image = safeFile(meta.ogImage)
  return html`<title>${shown}</title>
<meta property="og:title" content="${shown}">
<meta property="og:site_name" content="${siteName}">
${
  meta.description &&
  html`<meta name="description" content="${meta.description}">
<meta property="og:description" content="${meta.description}">`
}
${image !== undefined && html`<meta property="og:image" content="${image}">`}`
}

export interface RenderOptions extends Pick<PageRender, 'script' | 'lang' | 'ownOrigins' | 'blocks'> {
  /** The id of the site, for its name if the config has none. */
  readonly siteId?: string | undefined
}

/** A page with the data of its header, as `fetchEditorPage` returns it. */
interface ShownPage {
  /** `undefined` if the slug has no page. */
  readonly page: Page | undefined
  readonly slug: string
  readonly slugs: readonly string[]
  readonly siteConfig: SiteConfig
  readonly source: 'draft' | 'published'
  readonly access: { readonly siteId: string; readonly session: string } | undefined
  /** For developers, shown at the top of the page. */
  readonly notice: string | undefined
}

/** Renders a page of `fetchEditorPage` as a complete HTML document; 'page not found' if there is no page. */
export function renderEditorPage(shown: ShownPage, options: RenderOptions = {}): string {
  const render = toRender(shown, options)
  return shown.page ? renderPage({ ...render, page: shown.page }) : renderNotFound(render)
}

/** Renders a page of `fetchEditorPage` with its styles for the body of a document; '' if there is no page. */
export function renderEditorBody(shown: ShownPage, options: RenderOptions = {}): string {
  if (!shown.page) return ''
  return toMarkup(html`${styles}${bodyOf({ ...toRender(shown, options), page: shown.page })}`)
}

function toRender(shown: ShownPage, { siteId = shown.access?.siteId ?? '', ...options }: RenderOptions) {
  const { page, slug, slugs, siteConfig, source, notice } = shown
  // The menu does not mark a page that does not exist.
  const navigation = navigationOf({ slugs, config: siteConfig, current: page && slug, siteId })
  return { ...options, navigation, siteName: navigation.name, notice, draft: source === 'draft' }
}
