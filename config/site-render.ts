/** Entry point for websites that look like the demo: `content-orchestrator/site/render`. */
export {
  contentSecurityPolicy,
  placeholderSvg,
  renderEditorBody,
  renderEditorPage,
  stylesheet,
  withScript,
  type RenderOptions,
} from '../plugins/demo-site/render/index.ts'
export { safeLink } from '../plugins/demo-site/render/url.ts'
export { html } from '../plugins/content/markup.ts'
export { readImage } from '../plugins/demo-site/images.ts'
export { readSiteFile } from '../plugins/demo-site/site-files.ts'
