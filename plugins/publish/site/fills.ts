import type { LinkedSite } from '../../draft/port.ts'
import { toOrigin } from '../../outbound/port.ts'
import { sourceNames } from '../baseline.ts'
import { hasShrunk, readSiteRecord, siteRecords, sourceKey } from './site-record.ts'

/**
 * Stores how many pages a site had when a draft was filled from it, with which its next answer is compared.
 * One that has lost most of its pages since changes nothing: it is followed only when a person says so.
 */
export const noteFill: LinkedSite['noteFill'] = async (tx, { siteId, origin, pageCount }) => {
  const name = origin === undefined ? sourceNames.adapter : sourceNames.at(toOrigin(origin) ?? origin)
  const key = sourceKey(siteId, name)
  const record = await readSiteRecord(tx, key)
  if (record.pageCount === pageCount || hasShrunk(record.pageCount, pageCount)) return
  // What is known stays as it is, and with it the answers that stand for it.
  await tx.of(siteRecords).put(key, 'site', { body: { pageCount, edition: record.edition }, columns: {} })
}
