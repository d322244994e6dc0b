/** Entry point for an edited website: `content-orchestrator/site`. */
export { createSiteEditor, type SiteEditorOptions } from './create-site-editor.ts'
export { fetchEditorPage, type EditorPageOptions } from './fetch-editor-page.ts'
export { builtinBlocks, defineBlocks, type SiteBlock, type SiteBlocks } from '../plugins/site/blocks.ts'
export { livePreviewScript, type EditorPage, type LiveScriptOptions } from '../plugins/site/draft/page.ts'
export type { Visit } from '../plugins/site/draft/visit.ts'
export { navigationOf, type Navigation } from '../plugins/content/navigation.ts'
