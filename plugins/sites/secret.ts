import { safeEqual } from '../../kernel/index.ts'

/**
 * Compares the secret that a site has for its drafts with ours, which editors are given, and gives a warning where they differ.
 *
 * Such a site shows its published pages where an editor expects a draft, and says nothing.
 */
export function warningsAbout(secret: string | null | undefined, ours: string | undefined): string[] {
  if (!secret) return []
  if (ours === undefined) return [`The orchestrator has no DRAFT_MODE_SECRET, this site has one. Set the same one there, for editors and for doctor.`]
  if (safeEqual(secret, ours)) return []
  return [`The secret is not the DRAFT_MODE_SECRET of the orchestrator, so an editor that has that one sees no draft. Set the same one on both sides.`]
}
