import type { SiteContent } from '../content/adapter.ts'
import { bySlug } from '../content/diff/index.ts'
import { neverShown, notArrived, shownOlder } from '../content/arrival.ts'
import { sameAsRead } from '../content/merge/index.ts'
import { meaningOf, withoutFormer } from './meaning.ts'
import type { Unshown, UnshownPublish, StoredBaseline } from './record.ts'

/**
 * Returns the slugs of changed pages of a publish of which a site shows nothing: its answer `seen` still
 * means what the site meant before. `record` is the one before the publish.
 */
export async function notShown(
  record: StoredBaseline,
  {
    sent,
    before,
    seen,
    changed,
  }: Readonly<Record<'sent' | 'before' | 'seen', SiteContent>> & { readonly changed: readonly string[] },
): Promise<readonly string[]> {
  const [wanted, shown] = [bySlug(sent.pages), bySlug(seen.pages)]
  const others = changed.filter((slug) => !sameAsRead(wanted.get(slug), shown.get(slug)))
  if (others.length === 0) return []
  // What publishes before have replaced may have been put back by this one.
  const { content } = await meaningOf(seen, withoutFormer(record, Infinity))
  const { pages, inPart } = await notArrived(sent, before, content)
  return others.toSorted().filter((slug) => pages.includes(slug) || inPart.includes(slug))
}

/** Returns what is unshown after a publish: what it sent again is unshown no more for those before. */
export function unshownAfter(
  { unshown = {} }: Pick<StoredBaseline, 'unshown'>,
  {
    publishId,
    own,
    changed,
  }: { readonly publishId: string; readonly own: UnshownPublish; readonly changed: readonly string[] },
): Unshown {
  const again = new Set(changed)
  const earlier = without(unshown, (slug) => again.has(slug))
  return own.slugs.length > 0 ? { ...earlier, [publishId]: own } : earlier
}

/** Returns what is unshown after an answer, which the publishes until `untilMs` had the time to bring. */
export function unshownWith(
  { unshown = {}, pages }: StoredBaseline,
  answer: SiteContent,
  untilMs: number,
): Unshown {
  if (Object.keys(unshown).length === 0) return unshown
  const shown = bySlug(answer.pages)
  const rows = [...pages.values()].flatMap((row) =>
    [...new Set([row.known, ...row.forms].flatMap((state) => state?.slug ?? []))].map((slug) => ({
      slug,
      row,
    })),
  )
  const found = Map.groupBy(rows, ({ slug }) => slug)
  const isOlder = (slug: string): boolean => {
    const page = shown.get(slug)
    return (found.get(slug) ?? []).some(
      ({ row: { known, forms } }) => !sameAsRead(known, page) && forms.some((form) => sameAsRead(form, page)),
    )
  }
  const rest = without(unshown, (slug) => !isOlder(slug))
  return Object.fromEntries(
    Object.entries(rest).map(([id, each]) => [
      id,
      Date.parse(each.at) > untilMs ? each : { ...each, isOver: true },
    ]),
  )
}

/** Returns the notes of a publish on what a site does not show of it. */
export function notesOf(publish: Pick<UnshownPublish, 'slugs' | 'isOver'> | undefined): readonly string[] {
  if (!publish || publish.slugs.length === 0) return []
  return [publish.isOver ? neverShown(publish.slugs) : shownOlder(publish.slugs)]
}

function without(unshown: Unshown, isGone: (slug: string) => boolean): Unshown {
  return Object.fromEntries(
    Object.entries(unshown).flatMap(([id, each]) => {
      const slugs = each.slugs.filter((slug) => !isGone(slug))
      return slugs.length > 0 ? [[id, { ...each, slugs }]] : []
    }),
  )
}
