/** Which branch a draft was made on, where its content is in a repository: another one is followed only if that is confirmed. */
import type { ContentAdapter } from '../content/adapter.ts'
import type { DraftId } from '../scope/port.ts'
import { defineCollection, type Store, type Transaction, trusted } from '../store/port.ts'
import { records, scheduledScope } from './scheduled/scheduled.ts'

/** What a draft has followed last. */
interface FollowedBranch {
  /** The one that it was made on; another one with the same content is none yet. */
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
export interface At extends Pick<FollowedBranch, 'tag'> {
  readonly version: number
}

/** What a draft has followed: whether it has no changes then, and whether a person meant this branch. */
export interface Noted extends At {
  readonly isSame: boolean
  readonly isMeant: boolean
}

export interface Filled extends DraftId {
  readonly branch: string | undefined
}

export const followedBranches = defineCollection('publish_branches', trusted<FollowedBranch>(), {
  columns: {},
})

export type Branches = ReturnType<typeof createBranches>

/** Creates the branches of drafts, for content that has some: `current` names the one that is checked out. */
export function createBranches(store: Store, current: NonNullable<ContentAdapter['branch']>) {
  const stored = async ({ siteId, session }: DraftId) =>
    (await store.of(followedBranches).get(siteId, session))?.body
  const hasScheduled = async ({ siteId, session }: DraftId): Promise<boolean> =>
    (await store.of(records).count(scheduledScope, { siteId, session })) > 0
  return {
    /**
     * Returns the change of the branch that a draft waits for: one with changes if the other branch has other
     * content, one with scheduled publishes always.
     */
    async changed(id: DraftId, at: At): Promise<BranchChange | undefined> {
      const to = await current()
      const before = to === undefined ? undefined : await stored(id)
      if (to === undefined || before === undefined || before.branch === to) return undefined
      const isFree = hasContent(before, at) || before.same === at.version
      return isFree && !(await hasScheduled(id)) ? undefined : { from: before.branch, to }
    },
    /** Notes the branch that a draft has followed. */
    async note(id: DraftId, { tag, version, isSame, isMeant }: Noted): Promise<void> {
      const now = await current()
      if (now === undefined) return
      const before = await stored(id)
      const isMoved = isMeant || isSame || before === undefined || !hasContent(before, { tag })
      const body = { branch: isMoved ? now : before.branch, tag, same: isSame ? version : undefined }
      if (before?.branch === body.branch && before.tag === tag && before.same === body.same) return
      const { siteId, session } = id
      await store.transaction((tx) => tx.of(followedBranches).put(siteId, session, { body, columns: {} }))
    },
    /** Notes the branch that has filled a draft, in that transaction. */
    async filled(tx: Transaction, { siteId, session, branch }: Filled, version: number): Promise<void> {
      if (branch === undefined) return
      const body = { branch, tag: undefined, same: version }
      await tx.of(followedBranches).put(siteId, session, { body, columns: {} })
    },
  }
}

/** Whether a branch has the content that a draft has followed. */
const hasContent = (before: FollowedBranch, { tag }: Pick<At, 'tag'>): boolean =>
  tag !== undefined && before.tag === tag

export const otherBranch = ({ from, to }: BranchChange): string =>
  `The folder has the branch ${to} now, and this draft has changes that were made on ${from}, so it does not follow the folder. ` +
  `Check out ${from} again, or follow ${to} in the review of the studio (POST /draft/follow with confirm: true).`
