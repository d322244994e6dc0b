/** What a publish would change. */
import { computed, effect } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { changes, pages as draftPages } from './draft.ts'
import { loaded } from './loaded.ts'
import { isNamedOn, loadLog } from './log.ts'
import { changedIn } from './moves.ts'
import { loadScheduled } from './scheduled.ts'
import { loadConfig } from './site-config.ts'
import { draftId } from './site.ts'
import { view } from './ui.ts'

export type Diff = Answer<'GET /publish/diff'>
export type PageDiff = Diff['pages'][number]
export const {
  value: diff,
  failure,
  load: loadDiff,
} = loaded(async () => {
  // A conflict that is only counted must not be decided by what the person types on.
  const shown = view.peek() === 'review' ? 'true' : 'false'
  const read = await call('GET /publish/diff', { query: { ...draftId.value, shown } })
  if (hasMoves(read)) await loadLog()
  return read
})

const hasMoves = ({ pages }: Diff): boolean =>
  pages.some(({ blockDiffs }) => blockDiffs.some(({ status }) => status === 'moved'))

const pauseMs = 500

/**
 * Keeps the number of changes current, from the greeting of the stream on, at pauses of the editing. The
 * service lets the draft follow its site before each comparison, and the stream tells what came of it.
 */
export function followReview(): void {
  let timer = 0
  effect(() => {
    if (changes.value === 0) return
    const wait = changes.value === 1 ? 0 : pauseMs
    clearTimeout(timer)
    timer = window.setTimeout(() => void loadDiff(), wait)
  })
}

/** Reads what is beside the differences, while the review is shown; returns the end of it. */
export const followSurroundings = (): (() => void) =>
  effect(() => {
    const shown = diff.value
    if (!shown) return
    // Where visitors of a former address are led.
    const isRenamed = shown.pages.some(({ slugBefore }) => slugBefore !== undefined)
    void Promise.allSettled([loadLog(), loadScheduled(), ...(isRenamed ? [loadConfig()] : [])])
  })

/** The compared pages by their slugs. */
export const pagesBySlug = computed(() => new Map(diff.value?.pages.map((page) => [page.slug, page])))

/** The title of a page, also of one that a publish removes. */
export function titleOf(slug: string): string {
  const { titleAfter, titleBefore } = pagesBySlug.value.get(slug) ?? {}
  return titleAfter ?? draftPages.value.find((page) => page.slug === slug)?.title ?? titleBefore ?? slug
}

/**
 * The changes of a page: its changed blocks, and the changed texts of its own; a new or deleted page is one.
 */
export function countIn({
  slug,
  slugBefore,
  status,
  titleBefore,
  metaDiffs = [],
  blockDiffs,
}: PageDiff): number {
  if (status !== 'modified') return status === 'unchanged' ? 0 : 1
  const own = [slugBefore, titleBefore].filter((text) => text !== undefined).length
  return Math.max(changedIn(blockDiffs, isNamedOn(slug)).length + metaDiffs.length + own, 1)
}

/** The number of changes that a publish would make, as they are shown. */
export const countOf = ({ pages, siteConfig }: Diff): number =>
  pages.reduce((sum, page) => sum + countIn(page), siteConfig.fieldDiffs.length)
/** The number of changes of the whole draft; 0 until it is compared. */
export const changeCount = computed(() => (diff.value ? countOf(diff.value) : 0))
