import { applyDelta } from '../content/delta.ts'
import type { Page } from '../content/page.ts'
import type { Reader, Row } from '../store/port.ts'
import { aboutOf, type ChangeAbout, type ChangeRecord, type changes, versionKey } from './collections.ts'
import type { LogEntry } from './port.ts'

/** The number of newest changes in the log; only these can be restored. */
const logLength = 100

type Columns = (typeof changes)['columns']

/** Returns the newest log entries, newest first; the steps of a run form one entry, at the newest version. */
export async function newestEntries(
  changes: Reader<ChangeRecord, Columns>,
  scope: string,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  for (let after: string | undefined; ;) {
    const rows: readonly Row<Columns>[] = await changes.rows(scope, {
      descending: true,
      limit: logLength,
      ...(after !== undefined && { after }),
    })
    const shown = rows
      .map((row) => ({ version: Number(row.key), about: aboutOf(row) }))
      .filter(({ about }) => !about.isExtended)
    entries.push(...shown.slice(0, logLength - entries.length).map(toLogEntry))
    if (rows.length < logLength || entries.length === logLength) return entries
    after = rows.at(-1)?.key
  }
}

function toLogEntry({ version, about }: { readonly version: number; readonly about: ChangeAbout }): LogEntry {
  const { removed: _removed, config: _config, step: _step, isExtended: _isExtended, ...entry } = about
  return { version, ...entry }
}

/**
 * Returns a page as it was right after a version, with its former place for a page that has none now.
 *
 * No copies are stored: later changes of the page are reverted on the current page, newest first.
 */
export async function asOf(
  records: Reader<ChangeRecord, (typeof changes)['columns']>,
  scope: string,
  {
    slug,
    today,
    version,
  }: { readonly slug: string; readonly today: Page | undefined; readonly version: number },
): Promise<{ readonly page: Page | undefined; readonly rank: string | undefined }> {
  const later = await records.list(scope, { after: versionKey(version) })
  let page = today
  let rank: string | undefined
  for (const { body } of later.toReversed()) {
    const record = body.pages.find((each) => each.slug === slug)
    if (record?.delta) page = applyDelta(page, record.delta, 'backward')
    rank = record?.rank?.before ?? rank
  }
  return { page, rank }
}
