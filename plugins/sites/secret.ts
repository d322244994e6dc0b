import { safeEqual } from '../../kernel/index.ts'

const remedy = 'Set the same one on both sides.'

/**
 * Compares the secret that a site has for its drafts with ours, and gives a warning where they differ.
 *
 * Such a site shows its published pages where a draft is expected, and says nothing.
 */
export function warningsAbout(secret: string | null | undefined, ours: string | undefined): string[] {
  if (!secret) return []
  if (ours === undefined) return [`The orchestrator has no DRAFT_MODE_SECRET, this site has one. ${remedy}`]
  if (safeEqual(secret, ours)) return []
  return [`The secret is not the DRAFT_MODE_SECRET of the orchestrator, so no draft will show. ${remedy}`]
}
