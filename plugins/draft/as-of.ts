import { applyDelta } from '../content/delta.ts'
import type { Page } from '../content/page.ts'
import type { Reader } from '../store/port.ts'
import { versionKey, type ChangeRecord, type changes } from './collections.ts'

/**
 * A page as it stood right after a version, with the place it had if it has none now.
 *
 * No copies are kept for this: the later changes of the page are taken back from today's page, newest first.
 */
export async function asOf(
  records: Reader<ChangeRecord, (typeof changes)['columns']>,
  scope: string,
  { slug, today, version }: { readonly slug: string; readonly today: Page | undefined; readonly version: number },
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
