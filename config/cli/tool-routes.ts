import type { RouteSpec } from '../../kernel/index.ts'
import { routes as audio } from '../../plugins/audio/routes.ts'
import { routes as chat } from '../../plugins/chat/routes.ts'
import { routes as checks } from '../../plugins/checks/routes.ts'
import { routes as draft } from '../../plugins/draft/routes.ts'
import { routes as history } from '../../plugins/history/routes.ts'
import { routes as imageGeneration } from '../../plugins/image-generation/routes.ts'
import { routes as imageInterpretation } from '../../plugins/image-interpretation/routes.ts'
import { routes as media } from '../../plugins/media/routes.ts'
import { routes as ops } from '../../plugins/ops/routes.ts'
import { routes as preview } from '../../plugins/preview/routes.ts'
import { routes as publish } from '../../plugins/publish/routes.ts'
import { routes as restore } from '../../plugins/restore/routes.ts'
import { routes as sessions } from '../../plugins/sessions/routes.ts'
import { routes as sites } from '../../plugins/sites/routes.ts'
import { routes as unsplash } from '../../plugins/unsplash/routes.ts'

/** The routes that the tools of the MCP server call, for an orchestrator elsewhere. */
export const toolRoutes: readonly RouteSpec[] = [
  audio,
  chat,
  checks,
  draft,
  history,
  imageGeneration,
  imageInterpretation,
  media,
  ops,
  preview,
  publish,
  restore,
  sessions,
  sites,
  unsplash,
].flatMap((table) => Object.values(table))
