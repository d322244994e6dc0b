import type { Environment } from './env.ts'

/** The secret of the draft mode by any of the names that editors and frameworks have for it; the first that is set counts. */
export function draftSecretIn(env: Environment): string | undefined {
  return (env['DRAFT_MODE_SECRET'] ?? env['VITE_SITE_DRAFT_SECRET'] ?? env['NEXT_DRAFT_MODE_SECRET'])?.trim()
}
