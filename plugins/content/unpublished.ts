/** A change of a draft, as its log has it. */
interface Logged {
  readonly version: number
  readonly source: string
  readonly channel: string
  readonly slugs: readonly string[]
  readonly removedSlugs?: readonly string[] | undefined
  readonly configChanged?: boolean | undefined
  readonly renamed?: readonly { readonly from: string; readonly to: string }[] | undefined
}

/** A publish of the draft, as its log has it. */
interface LoggedPublish {
  readonly status: string
  readonly version?: number | undefined
  readonly rolledBackTo?: string | undefined
  readonly changes?:
    | {
        readonly added: readonly string[]
        readonly modified: readonly string[]
        readonly removed: readonly string[]
        readonly siteConfigFields: number
      }
    | undefined
}

/** Stands for the site config among slugs. */
export const settingsSlug = ''

/** Whether a change brought what the site has: by itself, or because a person has decided so. */
export const isOfSite = ({ channel, source }: Pick<Logged, 'channel' | 'source'>): boolean =>
  channel === 'site' || source === 'site'

/**
 * Returns the changes of pages that no publish before has brought, newest first; `slugs` are those after the
 * newest one.
 *
 * A page is followed over its renames. `changes` are the newest first, without those that a publish leaves
 * out.
 */
export function unpublishedChanges<C extends Logged>(
  slugs: Iterable<string>,
  changes: readonly C[],
  publishes: readonly LoggedPublish[],
): readonly C[] {
  const published = publishedVersions(publishes)
  const since = new Map([...slugs].map((slug) => [slug, published(slug)]))
  return changes.filter((change) => {
    const { slugs, removedSlugs = [], configChanged = false } = change
    const touched = [...slugs, ...removedSlugs, ...(configChanged ? [settingsSlug] : [])]
    const isNew = touched.some((slug) => change.version > (since.get(slug) ?? Infinity))
    for (const { from, to } of change.renamed?.toReversed() ?? []) {
      const version = since.get(to)
      if (version !== undefined) since.set(from, Math.max(version, published(from)))
    }
    return isNew && !isOfSite(change)
  })
}

/**
 * Returns the function that finds the newest published version of a page; a publish that lists no pages
 * brought all.
 */
function publishedVersions(publishes: readonly LoggedPublish[]): (slug: string) => number {
  const versions = new Map<string, number>()
  let all = 0
  for (const { status, version = 0, rolledBackTo, changes } of publishes) {
    if (status === 'failed' || rolledBackTo !== undefined) continue
    if (!changes) all = Math.max(all, version)
    const settings = changes && changes.siteConfigFields > 0 ? [settingsSlug] : []
    for (const slug of [
      ...(changes?.added ?? []),
      ...(changes?.modified ?? []),
      ...(changes?.removed ?? []),
      ...settings,
    ])
      versions.set(slug, Math.max(version, versions.get(slug) ?? 0))
  }
  return (slug) => Math.max(all, versions.get(slug) ?? 0)
}
