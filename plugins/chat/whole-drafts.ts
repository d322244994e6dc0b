import type { Drafts } from '../draft/port.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { draftTooLarge, tooManyDrafts } from './refusals.ts'

export type WholeDrafts = ReturnType<typeof createWholeDrafts>

/** Limits the drafts that one process reads completely at a time, by the bytes of their pages. */
export function createWholeDrafts(drafts: Drafts, maxDraftBytes: number) {
  const inUse = new Map<string, { readonly bytes: number; jobs: number }>()
  return {
    /**
     * Runs a job that reads a complete draft. An empty draft is first filled from its site.
     *
     * Refuses with 413 `draft_too_large` if its pages are larger than the limit, and with 429
     * `too_many_large_drafts` if all drafts in use would be larger than twice the limit. Several messages to
     * one draft count once.
     */
    async use<T>(id: DraftId, job: () => Promise<T>): Promise<T> {
      if ((await drafts.head(id)).pageCount === 0) await drafts.rows(id)
      const { pageBytes: bytes } = await drafts.head(id)
      if (bytes > maxDraftBytes) throw draftTooLarge(maxDraftBytes)
      const key = draftKey(id)
      const draft = inUse.get(key) ?? { bytes, jobs: 0 }
      const held = inUse.values().reduce((sum, each) => sum + each.bytes, 0)
      if (draft.jobs === 0 && held + bytes > 2 * maxDraftBytes) throw tooManyDrafts()
      inUse.set(key, draft)
      draft.jobs += 1
      try {
        return await job()
      } finally {
        draft.jobs -= 1
        if (draft.jobs === 0) inUse.delete(key)
      }
    },
  }
}
