/** Which branch a draft was made on, where its content is in a repository: another one is followed only if that is confirmed. */
import type { ContentAdapter } from '../content/adapter.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, type Store, trusted } from '../store/port.ts'

/** What a draft has followed last. */
interface FollowedBranch {
  readonly branch: string
  /** Equal for equal content. */
  readonly tag: string | undefined
  /** The version of the draft, if it was as the content. */
  readonly same: number | undefined
}

/** A branch that was checked out in place of the one that a draft was made on. */
export interface BranchChange {
  readonly from: string
  readonly to: string
}

/** What is compared, at a version of the draft. */
interface At extends Pick<FollowedBranch, 'tag'> {
  readonly version: number
}

export const followedBranches = defineCollection('publish_branches', trusted<FollowedBranch>(), {
  columns: {},
})

export type Branches = ReturnType<typeof createBranches>

/** Creates the branches of drafts, for content that has some: `current` names the one that is checked out. */
export function createBranches(store: Store, current: NonNullable<ContentAdapter['branch']>) {
  const stored = async ({ siteId, session }: DraftId) =>
    (await store.of(followedBranches).get(siteId, session))?.body
  return {
    /** Returns the change of the branch that a draft with changes waits for, if the other one has other content. */
    async changed(id: DraftId, { tag, version }: At): Promise<BranchChange | undefined> {
      const to = await current()
      const before = to === undefined ? undefined : await stored(id)
      if (to === undefined || before === undefined || before.branch === to) return undefined
      return before.tag === tag || before.same === version ? undefined : { from: before.branch, to }
    },
    /** Notes the branch that a draft has followed. */
    async note(id: DraftId, { tag, version, isSame }: At & { readonly isSame: boolean }): Promise<void> {
      const branch = await current()
      if (branch === undefined) return
      const body = { branch, tag, same: isSame ? version : undefined }
      const before = await stored(id)
      if (before?.branch === branch && before.tag === tag && before.same === body.same) return
      const { siteId, session } = id
      await store.transaction((tx) => tx.of(followedBranches).put(siteId, session, { body, columns: {} }))
    },
  }
}

export const otherBranch = ({ from, to }: BranchChange): string =>
  `The folder has the branch ${to} now, and this draft has changes that were made on ${from}, so it does not follow the folder. ` +
  `Check out ${from} again, or follow ${to} in the review of the studio (POST /draft/follow with confirm: true).`
