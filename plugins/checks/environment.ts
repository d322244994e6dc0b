import * as v from 'valibot'
import { toOrigin } from '../outbound/port.ts'

/** The variables that say whether this service and a website fit together. */
export const IntegrationVariables = v.object({
  DRAFT_MODE_SECRET: v.optional(v.string()),
  PUBLISH_TOKEN: v.optional(v.string()),
  ORCHESTRATOR_CORS_ORIGINS: v.optional(v.string(), ''),
})

/** The origin that editors are opened from: of the configured ones that are not the website that on port 4100, else the first; an editor in development without any. */
export function editorOriginOf({ ORCHESTRATOR_CORS_ORIGINS }: v.InferOutput<typeof IntegrationVariables>, site: string): string {
  const origins = ORCHESTRATOR_CORS_ORIGINS.split(',').map((each) => toOrigin(each.trim())).filter((origin) => origin !== undefined && origin !== site)
  return origins.find((origin) => origin?.endsWith(':4100')) ?? origins[0] ?? 'http://localhost:4100'
}
