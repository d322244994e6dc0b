/** Entry point for websites that look like the demo: `content-orchestrator/site/render`. */
export {
  contentSecurityPolicy,
  placeholderSvg,
  renderEditorBody,
  renderEditorPage,
  stylesheet,
  withScript,
  type RenderOptions,
} from '../plugins/site/demo/render/index.ts'
export { html } from '../plugins/content/markup.ts'
export { readImage } from '../plugins/site/demo/images.ts'
export { readSiteFile } from '../plugins/site/demo/site-files.ts'
