/** Renders page documents to HTML, for the demo website and for sites that look like it. */
export {
  renderEditorBody,
  renderEditorPage,
  renderNotFound,
  renderPage,
  type RenderOptions,
} from './document.ts'
export { placeholderSvg } from './placeholder.ts'
export { contentSecurityPolicy, stylesheet, withScript } from './style.ts'
