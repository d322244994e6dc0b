import { navigationOf } from '../../content/navigation.ts'
import type { EditorPage } from '../editor-page.ts'
import { renderNotFound, renderPage, renderPageBody, type PageRender } from './document.ts'

export interface RenderOptions extends Pick<PageRender, 'script' | 'lang' | 'ownOrigins' | 'blocks'> {
  /** What a site is named after that has no name in its config. */
  readonly siteId?: string | undefined
}

/** Renders what `fetchEditorPage` gives as a complete HTML document: the page, or that there is none. */
export function renderEditorPage(shown: EditorPage, options: RenderOptions = {}): string {
  const render = toRender(shown, options)
  return shown.page ? renderPage({ ...render, page: shown.page }) : renderNotFound(render)
}

/** Renders a page that `fetchEditorPage` gives for the body of a document of your own, its styles included; '' where there is none. */
export function renderEditorBody(shown: EditorPage, options: RenderOptions = {}): string {
  return shown.page ? renderPageBody({ ...toRender(shown, options), page: shown.page }) : ''
}

function toRender({ page, slug, slugs, siteConfig, source, access, notice }: EditorPage, { siteId = access?.siteId ?? '', ...options }: RenderOptions) {
  // A page that is not there is no item of the menu.
  const navigation = navigationOf({ slugs, config: siteConfig, current: page && slug, siteId })
  return { ...options, navigation, siteName: navigation.name, notice, draft: source === 'draft' }
}
