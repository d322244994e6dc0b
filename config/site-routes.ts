/** Entry point for the editor routes of a website: `content-orchestrator/site/routes`. */
export { createSiteEditor, type SiteEditorOptions } from './create-site-editor.ts'
export {
  checkDestructivePublish,
  type PublishAttempt,
  type PublishVerdict,
} from '../plugins/content/destructive.ts'
export type { DraftAccess } from '../plugins/site/draft/signature.ts'
export { draftAccess } from '../plugins/site/draft/access.ts'
export type { DraftRequest } from '../plugins/site/draft/visit.ts'
