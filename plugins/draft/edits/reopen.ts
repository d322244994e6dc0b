import { mergePage, mergeSettings } from '../../content/merge/index.ts'
import type { Page } from '../../content/page.ts'
import { withoutRedirectsFrom } from '../../content/redirects.ts'
import { builtinRegistry } from '../../content/registry.ts'
import type { ReopenedPage } from '../change.ts'
import type { EditOf, Unchanged } from '../change-set.ts'
import { type Base, pageBase, slugOfBase } from '../collections.ts'
import type { DraftTransaction } from '../transaction.ts'

/** Of what was agreed on, what the publish has changed is as the site has it. */
const rules = { wins: 'theirs', draft: 'theirs', registry: builtinRegistry } as const

/**
 * Plans that what a publish has brought is a change of its draft again: the base of each page is what the
 * site has, as the page that the draft has now, which may be renamed since. An address that it has on the
 * site leads nowhere else.
 */
export async function planReopen(
  draft: DraftTransaction,
  { pages, config, order }: EditOf<'reopen'>,
): Promise<Unchanged> {
  const stored = await draft.bases.all()
  const bases = new Map<string, Base>()
  const rowAt = (slug: string) => bases.get(pageBase(slug)) ?? stored.get(pageBase(slug)) ?? { page: null }
  const moved = new Map(
    pages.flatMap(({ sent, page }) =>
      sent === undefined || sent === page?.slug ? [] : [[sent, page?.slug] as const],
    ),
  )
  const renamed = new Set<string>()
  for (const [key, base] of stored) {
    if (base.from === undefined || !moved.has(base.from)) continue
    renamed.add(base.from)
    const from = moved.get(base.from)
    bases.set(key, { ...base, from: from === slugOfBase(key) ? undefined : from })
  }
  for (const [sent, from] of moved) {
    const row = rowAt(sent)
    const isThere = !renamed.has(sent) && row.from === undefined
    bases.set(pageBase(sent), { ...row, page: null, ...(isThere && from !== undefined && { from }) })
  }
  for (const { sent, was, page, isMoved } of pages) {
    if (!page) continue
    const row = sent === undefined ? undefined : stored.get(pageBase(sent))
    const agreed = sent === undefined ? undefined : row ? row.page : await draft.pages.get(sent)
    const base = agreed ? withoutSent(agreed, { was, page, isMoved }) : page
    bases.set(pageBase(page.slug), { ...rowAt(page.slug), page: base })
  }
  const agreed = stored.get('config')?.config ?? (await draft.config())
  const former = config
    ? mergeSettings({ base: config.was, ours: agreed, theirs: config.before }, rules).siteConfig
    : agreed
  const settings = withoutRedirectsFrom(former ?? agreed, new Set(moved.values()))
  if (settings !== agreed) bases.set('config', { config: settings })
  if (order) bases.set('order', { order })
  return { isUnchanged: true, bases }
}

/** Returns what was agreed on without what a publish has changed. */
function withoutSent(agreed: Page, { was, page, isMoved }: Omit<ReopenedPage, 'sent'>): Page | undefined {
  if (isMoved && page) return { ...agreed, id: page.id, slug: page.slug }
  return was ? mergePage({ base: was, ours: agreed, theirs: page }, rules).merged : page
}
