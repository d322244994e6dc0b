import { withoutEntries } from '../content/carry.ts'
import { summaryOf } from '../content/diff/index.ts'
import type { Compared } from './comparison.ts'
import { entriesNotFound, siteNotKnown } from './refusals.ts'

/**
 * Takes entries that cannot be read off the site, by their slugs: they are in no draft, so that only a publish that names
 * them deletes them. Refuses slugs without such an entry with 400 `entries_not_found`.
 */
export function withoutNamed(compared: Compared, slugs: readonly string[] = []): Compared {
  if (slugs.length === 0) return compared
  const { baseline, diff } = compared
  if (!baseline) throw siteNotKnown()
  const { site, removed } = withoutEntries(baseline, slugs)
  const there = new Set(removed.map(({ slug }) => slug))
  const missing = slugs.filter((slug) => !there.has(slug))
  if (missing.length > 0) throw entriesNotFound(missing)
  const entries = removed.map(({ slug }) => ({ slug, status: 'removed', changedFields: 0 }) as const)
  const [pages, shown] = [
    [...diff.pages, ...entries],
    [...diff.shown, ...entries],
  ]
  const summary = summaryOf(shown, diff.siteConfig)
  return { ...compared, baseline: site, removed: [...there], diff: { ...diff, pages, shown, summary } }
}
