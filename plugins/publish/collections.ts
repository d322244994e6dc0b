/** What publish stores. */
import { laterIds, named, sentPublishes, siteRecords } from '../baseline/port.ts'
import { pageChanges, shownPublishes } from '../follow/port.ts'
import { followedBranches } from './branches.ts'
import { rows } from './log.ts'
import { pinned, records } from './scheduled/scheduled.ts'
import { snapshotRows } from './snapshots.ts'

export const collections: readonly { readonly name: string }[] = [
  followedBranches,
  siteRecords,
  laterIds,
  named,
  pageChanges,
  pinned,
  records,
  rows,
  sentPublishes,
  shownPublishes,
  snapshotRows,
]
