/** What publish stores. */
import { latest, rows } from './log.ts'
import { pinned, records } from './scheduled.ts'
import { pageChanges } from './site/authors.ts'
import { named } from './site/index.ts'
import { siteRecords } from './site/site-record.ts'
import { laterIds } from './site/later-ids.ts'
import { sentRenames } from './site/sent-renames.ts'
import { shownPublishes } from './site/shown.ts'
import { snapshotRows } from './snapshots.ts'

export const collections: readonly { readonly name: string }[] = [
  siteRecords,
  laterIds,
  latest,
  named,
  pageChanges,
  pinned,
  records,
  rows,
  sentRenames,
  shownPublishes,
  snapshotRows,
]
