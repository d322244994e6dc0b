import * as v from 'valibot'
import { toOrigin } from '../outbound/port.ts'

/** The variables that say whether this service and a website fit together. */
export const IntegrationVariables = v.object({
  DRAFT_MODE_SECRET: v.optional(v.string()),
  PUBLISH_TOKEN: v.optional(v.string()),
  ORCHESTRATOR_CORS_ORIGINS: v.optional(v.string(), ''),
})

/** The origin that editors are opened from: the first configured one that is not the website, else that of an editor in development. */
export function editorOriginOf({ ORCHESTRATOR_CORS_ORIGINS }: v.InferOutput<typeof IntegrationVariables>, site: string): string {
  const origins = ORCHESTRATOR_CORS_ORIGINS.split(',').map((each) => toOrigin(each.trim()))
  return origins.find((origin) => origin !== undefined && origin !== site) ?? 'http://localhost:4100'
}
