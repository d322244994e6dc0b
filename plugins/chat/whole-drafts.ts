import type { Drafts } from '../draft/port.ts'
import { type DraftId, draftKey } from '../scope/port.ts'
import { draftTooLarge, tooManyDrafts } from './refusals.ts'

/** Bounds the drafts that are read completely. */
export interface WholeDrafts {
  /**
   * Runs a job that reads a complete draft. An empty draft is filled from its site before.
   *
   * Refuses with 413 `draft_too_large` when its pages are larger than the limit, and with 429 `too_many_large_drafts` when
   * the drafts in use would together be larger than twice the limit. Several messages to one draft count once.
   */
  use<T>(id: DraftId, job: () => Promise<T>): Promise<T>
}

interface InUse {
  readonly bytes: number
  jobs: number
}

/** Bounds the drafts of one process that are read completely, by the bytes of their pages. */
export function createWholeDrafts(drafts: Drafts, maxDraftBytes: number): WholeDrafts {
  const inUse = new Map<string, InUse>()
  let held = 0

  const take = (key: string, bytes: number): InUse => {
    const known = inUse.get(key)
    if (known) return known
    if (held + bytes > 2 * maxDraftBytes) throw tooManyDrafts()
    const fresh = { bytes, jobs: 0 }
    inUse.set(key, fresh)
    held += bytes
    return fresh
  }

  return {
    async use(id, job) {
      if ((await drafts.head(id)).pageCount === 0) await drafts.rows(id)
      const { pageBytes } = await drafts.head(id)
      if (pageBytes > maxDraftBytes) throw draftTooLarge(maxDraftBytes)
      const key = draftKey(id)
      const draft = take(key, pageBytes)
      draft.jobs += 1
      try {
        return await job()
      } finally {
        draft.jobs -= 1
        if (draft.jobs === 0) {
          inUse.delete(key)
          held -= draft.bytes
        }
      }
    },
  }
}
