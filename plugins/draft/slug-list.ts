import { partsWithPages } from '../content/page-bytes.ts'
import { perObject } from '../content/plain-object.ts'
import { homeFirst } from '../content/slugs.ts'
import type { PageRow } from './port.ts'

const withComma = perObject(({ slug, title, updatedAt, blockCount }: PageRow): Uint8Array =>
  Buffer.from(`,${JSON.stringify({ slug, title, updatedAt, blockCount })}`),
)

/** Returns the JSON of `GET /draft/slugs` in UTF-8; after a change, only the changed rows are serialized again. */
export const slugList = perObject((rows: readonly PageRow[]): Uint8Array => {
  const pages = homeFirst(rows)
  const [first, ...others] = pages.map(withComma)
  const list = first ? [first.subarray(1), ...others] : []
  return Buffer.concat(partsWithPages(list, { slugs: pages.map(({ slug }) => slug) }))
})
