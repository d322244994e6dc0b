/** How a draft takes over the state of a site, and what becomes of what both have changed. */
import { service } from '../../kernel/index.ts'
import type { DraftId } from '../scope/port.ts'

export { authorsOf, pageChanges, recordAuthors, withAuthors } from './authors.ts'
export { createDecide, createTypedAgain } from './decisions.ts'
export {
  createFollowing,
  type Follow,
  type FollowOptions,
  type FollowResult,
  notFollowed,
  stateOf,
  type TypesOf,
  withAhead,
} from './following.ts'
export { conflictChanged, draftMovedOn, unknownConflict } from './refusals.ts'
export { Conflict, DecideBody, Decisions, FollowBody, Followed, target } from './schemas.ts'
export { actorName, conflictSentence, placeOf, timeOf } from './sentence.ts'
export { createShown, shownPublishes } from './shown.ts'

/** Lets drafts take over what changed on their sites. */
export interface Following {
  /**
   * Follows the site of a draft that was filled. Resolves when that is done, with a sentence if it waits for
   * `confirm`, and never rejects.
   */
  follow(id: DraftId): Promise<string | undefined>
}

export const following = service<Following>('publish.following')
