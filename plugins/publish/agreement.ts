import { paced } from '../../kernel/index.ts'
import { recordLaterIds, settleSent } from '../baseline/port.ts'
import type { SiteContent } from '../content/adapter.ts'
import { withoutRepairs } from '../content/carry.ts'
import { bySlug } from '../content/diff/index.ts'
import { type Conflict, keyOfPlace, placeOfRedirect, type Winner } from '../content/merge/index.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject } from '../content/plain-object.ts'
import { redirectsOf } from '../content/redirects.ts'
import { recordAuthors, stateOf } from '../follow/port.ts'
import { noteMovedPages } from './scheduled/moved-pins.ts'
import type { Ended } from './outcome.ts'
import type { PublishContext } from './context.ts'
import type { PublishRequest } from './request.ts'
import type { LogRow } from './schemas.ts'

/** Records a successful publish as agreed on; returns notes on what the site does not show of it. */
export async function agree(
  { follow, store, branches }: PublishContext,
  { id, actor, pinned, part, overwrite = false }: PublishRequest,
  { compared: { draft, own, baseline, diff, conflicts, ...compared }, ...ended }: Ended,
  { id: publishId, at }: LogRow,
): Promise<readonly string[]> {
  const until = ended.outcome.status === 'triggered' ? { session: id.session, publishId, at } : undefined
  // An earlier publish again is a change of the site; another site is none of this draft.
  const isOwn = compared.isOwn && pinned?.commit === undefined
  const slugs = diff.pages.flatMap(({ slug, status }) => (status === 'unchanged' ? [] : [slug]))
  if (compared.isOwn && baseline) {
    const sides = { before: baseline, after: draft }
    await recordAuthors(store, id.siteId, { ...sides, slugs, at, actor })
    await settleSent(store, id, baseline)
    const back = { pages: overwrite ? conflicts.flatMap(removedPage) : [] }
    await recordLaterIds(
      store,
      id.siteId,
      { before: back, after: draft, renames: compared.renames.ours },
      { ...sides, renames: compared.renames.between },
    )
  }
  // What was agreed on holds at once: a run whose change is open goes on as another line of the log.
  const now = { writes: true, volatile: compared.volatile } as const
  const open =
    isOwn && pinned && baseline
      ? await follow(id, stateOf(baseline), undefined, now)
      : { conflicts: ended.open ?? [] }
  const content = { ...draft, pages: await sentPages(draft, baseline) }
  const notes = await compared.source.sent({
    content,
    changed: slugs,
    before: baseline,
    renames: compared.renames.between,
    until,
    at,
  })
  if (!isOwn) return notes
  if (compared.former.size > 0) await noteMovedPages(store, id, { ...compared, draft })
  // A draft that waits for a run has agreed on what it has itself, and takes over the rest later.
  const { content: agreedOn, renames } = (part ? undefined : compared.behind) ?? {
    content: draft,
    renames: compared.renames.ours,
  }
  // What the draft has as the site had it is the same page.
  const state = {
    ...stateOf(agreedOn, baseline?.pages),
    ...(baseline && { unreadable: ended.publication?.carried ?? [] }),
  }
  const decidedHere = new Set(overwrite ? conflicts.map(keyOfPlace) : [])
  const openPlaces = new Set(open.conflicts.map(keyOfPlace).filter((place) => !decidedHere.has(place)))
  const added = diff.shown.flatMap(({ slug, status }) => (status === 'added' ? [slug] : []))
  const published = { version: compared.version, added: new Set(added) }
  const agreed = await follow(id, state, undefined, { ...now, actor, renames, published })
  const reopened = agreed.conflicts.filter((each) => !openPlaces.has(keyOfPlace(each)))
  // The draft was changed again since: that is a change of what was published.
  const decided = new Map(reopened.map((conflict) => [conflict.id, winnerIn(conflict, own)]))
  if (reopened.length > 0)
    await follow(id, state, undefined, { ...now, actor, renames: agreed.renames.theirs, published, decided })
  // The draft is as the branch now, unless it was changed again, or a part was published.
  if (compared.version !== undefined) {
    const isSame = !part && !pinned
    await branches?.note(id, { tag: undefined, version: compared.version, isSame, isMeant: true })
  }
  return notes
}

/** The page that the site had removed, as it was, if that is the conflict. */
const removedPage = ({ kind, blockId, path, base }: Conflict): readonly Page[] =>
  kind === 'removed_on_site' && blockId === undefined && path === undefined && isPage(base) ? [base] : []
const isPage = (value: unknown): value is Page => isPlainObject(value) && Array.isArray(value['blocks'])

/** Of what was sent, a redirect that the draft has as before the publish wins; else the draft does. */
function winnerIn(conflict: Conflict, { siteConfig }: SiteContent): Winner {
  const redirects = Object.entries(redirectsOf(siteConfig) ?? {})
  const place = keyOfPlace(conflict)
  return redirects.some(([from, to]) => to === conflict.ours && keyOfPlace(placeOfRedirect(from)) === place)
    ? 'theirs'
    : 'ours'
}

/** The pages as the site got them: what was only repaired when it was read is not sent. */
async function sentPages({ pages }: SiteContent, before: SiteContent = { pages: [] }): Promise<Page[]> {
  const published = bySlug(before.pages)
  return Array.fromAsync(paced(pages), (page) => withoutRepairs(page, published.get(page.slug)))
}
