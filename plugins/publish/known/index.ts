import { definePlugin } from '../../../kernel/index.ts'
import { type FillParticipant, fillParticipants } from '../../draft/port.ts'
import { toOrigin } from '../../outbound/port.ts'
import { hasShrunk, readSiteRecord, sourceKey, sourceNames, writeSiteRecord } from './record.ts'

/**
 * Stores how many pages a site had when a draft was filled from it, with which its next answer is compared. One that has
 * lost most of its pages by then changes nothing: it is followed only when a person says so.
 */
const noteFill: FillParticipant = async (tx, { siteId, origin, pageCount }) => {
  const name = origin === undefined ? sourceNames.adapter : sourceNames.at(toOrigin(origin) ?? origin)
  const key = sourceKey(siteId, name)
  const record = await readSiteRecord(tx, key)
  if (record.pageCount === pageCount || hasShrunk(record.pageCount, pageCount)) return
  await writeSiteRecord(tx, key, record, { ...record, pageCount })
}

/** Counts the fill of a draft as a read of its site, apart from `publish` because it takes part in changes of drafts. */
export default definePlugin({ name: 'known', tag: 'Publish', gives: { note: fillParticipants } }).setup(
  () => ({ gives: { note: noteFill } }),
)
