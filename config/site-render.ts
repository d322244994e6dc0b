/** The door for websites that look like the demo: `content-orchestrator/site/render`. */
export {
  contentSecurityPolicy,
  html,
  placeholderSvg,
  renderEditorBody,
  renderEditorPage,
  stylesheet,
  withScript,
  type RenderOptions,
} from '../plugins/site/render/index.ts'
export { readImage } from '../plugins/site/website/images.ts'
