/** Follows a page over its renames, through the log of a draft. */
import type { Reader } from '../store/port.ts'
import { type ChangeRecord, type changes, metadataOf, type ChangedParts, versionKey } from './collections.ts'
import type { LogEntry } from './port.ts'
import { slugAfter, slugsBefore } from './rename-steps.ts'

/**
 * Returns the log entries, newest first, of the page that has an address now, and those that have it
 * themselves.
 */
export function entriesOf(newest: readonly LogEntry[], slug: string): readonly LogEntry[] {
  let at = slug
  return newest.filter((entry) => {
    const after = at
    at = slugsBefore(entry.renamed ?? []).get(after) ?? after
    const touched = new Set([entry.slug, ...entry.slugs, ...(entry.removedSlugs ?? [])])
    return [slug, after, at].some((each) => touched.has(each))
  })
}

/** Returns the address to which the renames after a version have led the page that had an address then. */
export async function addressNow(
  records: Reader<ChangeRecord, (typeof changes)['columns']>,
  scope: string,
  { slug, version }: { readonly slug: string; readonly version: number },
): Promise<string> {
  let now = slug
  for (const row of await records.rows(scope, { after: versionKey(version) })) {
    const metadata = metadataOf(row)
    const { renamed = [] }: ChangedParts = metadata.step ?? metadata
    now = slugAfter(renamed, now)
  }
  return now
}
