import type { PlanPreviews } from '../chat/port.ts'
import type { Page, SiteConfig } from '../content/page.ts'
import { homeFirst } from '../content/slugs.ts'
import type { Drafts } from '../draft/port.ts'
import type { Snapshots } from '../publish/port.ts'
import type { DraftId } from '../scope/port.ts'
import { refusals } from './refusals.ts'
import type { View } from './schemas.ts'

/** A page in one of its states, with the data of its navigation. */
export interface Viewed {
  /** `undefined` if the page does not exist in this state. */
  readonly page: Page | undefined
  readonly slugs: readonly string[]
  readonly siteConfig: SiteConfig
  /** The name of the state; `notice` is a sentence about it. */
  readonly name: string
  readonly notice: string
}

type Complete = { readonly pages: readonly Page[]; readonly siteConfig?: SiteConfig | undefined }

const within = (
  { pages, siteConfig = {} }: Complete,
  slug: string,
  words: Pick<Viewed, 'name' | 'notice'>,
): Viewed => ({
  page: pages.find((each) => each.slug === slug),
  siteConfig,
  slugs: homeFirst(pages.map((each) => each.slug)),
  ...words,
})

/** Creates the reader of page states. Refuses a lost state with 404, and like readers of drafts and plans. */
export function createViews({
  drafts,
  plans,
  snapshots,
}: {
  readonly drafts: Pick<Drafts, 'pageAtAddress' | 'rows' | 'shownConfig' | 'pageAt'>
  readonly plans: PlanPreviews | undefined
  readonly snapshots: Pick<Snapshots, 'find'> | undefined
}) {
  const there = async (id: DraftId, viewed: Omit<Viewed, 'slugs' | 'siteConfig'>): Promise<Viewed> => {
    const [rows, siteConfig] = await Promise.all([drafts.rows(id), drafts.shownConfig(id)])
    return { ...viewed, siteConfig, slugs: homeFirst(rows.map((row) => row.slug)) }
  }

  return async (id: DraftId, slug: string, view: View): Promise<Viewed> => {
    switch (view.what) {
      case 'draft':
        return there(id, {
          page: (await drafts.pageAtAddress(id, slug))?.page,
          name: 'Draft',
          notice: 'The draft as it is now.',
        })
      case 'plan': {
        const plan = await plans?.read(id, view.planId)
        if (!plan)
          throw refusals.notFound(
            'The plan is no longer pending. It was applied or dropped, or it has expired.',
          )
        if (!plan.content)
          throw refusals.notFound(
            'The draft has changed since, and the plan no longer fits. Request it again.',
          )
        return within(plan.content, slug, {
          name: 'Plan',
          notice: `A pending plan, which has not changed anything yet: “${plan.message}”`,
        })
      }
      case 'version': {
        const at = await drafts.pageAt(id, slug, view.version)
        if (!at)
          throw refusals.notFound(
            `Version ${view.version} is not in the log. GET /history/log lists the available versions.`,
          )
        const notice = `The page in version ${view.version} of ${toTime(at.entry.at)}, with the current menu. The change: “${at.entry.summary}”`
        return there(id, { page: at.page, name: `Version ${view.version}`, notice })
      }
      case 'snapshot': {
        const found = await snapshots?.find(view.commit, id.siteId)
        if (!found || found === 'ambiguous') throw refusals.notFound('This site has no such snapshot.')
        return within(found.content, slug, {
          name: `Published ${toTime(found.committedAt)}`,
          notice: 'The content that was published.',
        })
      }
    }
  }
}

export type ReadView = ReturnType<typeof createViews>

/** Formats a time, such as `2026-01-31 12:00 UTC`. */
const toTime = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
