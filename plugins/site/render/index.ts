/** Renders page documents to HTML, for the demo website and as an example of a site. */
export { renderNotFound, renderPage } from './document.ts'
export { renderEditorBody, renderEditorPage, type RenderOptions } from './editor-page.ts'
export { html, raw, toMarkup, type Html, type HtmlValue } from './html.ts'
export { contentSecurityPolicy, withScript } from './policy.ts'
export { placeholderSvg } from './placeholder.ts'
export { stylesheet } from './style/index.ts'
