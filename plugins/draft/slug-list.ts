import { partsWithPages } from '../content/page-bytes.ts'
import { perObject } from '../content/plain-object.ts'
import { withShownText } from '../content/shown-text.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Locked } from '../content/locked.ts'
import { listed, type Unreadable } from '../content/read-pages.ts'
import type { PageRow } from './port.ts'

type ListedRow = PageRow & { readonly conflicts?: number | undefined }

const withComma = perObject(({ slug, title, updatedAt, blockCount, conflicts }: ListedRow): Uint8Array =>
  Buffer.from(`,${JSON.stringify({ slug, title, updatedAt, blockCount, conflicts })}`),
)

/** Returns the JSON of `GET /draft/slugs` in UTF-8; after a change, only the changed rows are serialized again. */
const slugList = perObject((rows: readonly ListedRow[]): Uint8Array => {
  const pages = homeFirst(rows)
  const [first, ...others] = pages.map(withComma)
  const list = first ? [first.subarray(1), ...others] : []
  return Buffer.concat(partsWithPages(list, { slugs: pages.map(({ slug }) => slug) }))
})

/** Returns the JSON of `GET /draft/slugs` with pages that were left out, locked blocks, and the numbers of conflicts by page. */
export const slugListWith = (
  rows: readonly PageRow[],
  { leftOut, locked }: { readonly leftOut: readonly Unreadable[]; readonly locked: readonly Locked[] },
  conflicts: Readonly<Record<string, number>>,
): Uint8Array => {
  const slugs = new Set(rows.map(({ slug }) => slug))
  const unreadable = listed(leftOut).filter(({ slug, repeated }) => repeated === true || !slugs.has(slug))
  const list = slugList(rows.some(({ slug }) => conflicts[slug]) ? counted(rows, conflicts) : rows)
  if (unreadable.length === 0 && locked.length === 0) return list
  const extra = {
    ...(unreadable.length > 0 && withShownText({ notice: noticeOf(unreadable), unreadable })),
    ...(locked.length > 0 && { locked }),
  }
  return Buffer.concat([list.subarray(0, -1), Buffer.from(`,${JSON.stringify(extra).slice(1)}`)])
}

/** The number of pages that a notice names. */
const mostNamed = 3

/** Says that pages of the site cannot be read, for editors that show nothing else of them. */
function noticeOf(unreadable: readonly { readonly slug: string; readonly reason: string }[]): string {
  const count = unreadable.length === 1 ? 'A page' : `${unreadable.length} pages`
  const names = unreadable.slice(0, mostNamed).map(({ slug, reason }) => `${slug} (${reason})`)
  const more = unreadable.length > mostNamed ? ', …' : ''
  return `${count} of the site cannot be read, and every publish leaves them as they are: ${names.join(', ')}${more}`
}

const counted = (rows: readonly PageRow[], conflicts: Readonly<Record<string, number>>) =>
  rows.map((row): ListedRow => {
    const count = conflicts[row.slug]
    return count === undefined ? row : { ...row, conflicts: count }
  })
