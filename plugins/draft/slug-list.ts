import { perObject } from '../content/plain-object.ts'
import { homeFirst } from '../content/slugs.ts'
import type { PageRow } from './port.ts'

const slugText = perObject(({ slug }: PageRow) => JSON.stringify(slug))
const rowText = perObject(({ slug, title, updatedAt, blockCount }: PageRow) =>
  JSON.stringify({ slug, title, updatedAt, blockCount }),
)

/** Returns the JSON of `GET /draft/slugs` in UTF-8; after a change, only the changed rows are serialized again. */
export const slugList = perObject((rows: readonly PageRow[]): Uint8Array => {
  const pages = homeFirst(rows)
  return Buffer.from(`{"slugs":[${pages.map(slugText).join()}],"pages":[${pages.map(rowText).join()}]}`)
})
