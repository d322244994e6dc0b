/** What a publish would change, what the checks say, and what came of earlier publishes. */
import { effect, signal } from '@preact/signals'
import { call, sentenceOf, type Answer } from '../service.ts'
import { changes, pages as draftPages } from './draft.ts'
import { draftId } from './site.ts'
import { changedIn } from './moves.ts'
import { isNamedOn, loadMoved } from './moved.ts'
import { loadScheduled } from './scheduled.ts'
import { say } from './toast.ts'
import { byWhom } from './words.ts'

export type Diff = Answer<'GET /publish/diff'>
export type PageDiff = Diff['pages'][number]
export type Publish = Answer<'GET /publish/log'>['entries'][number]

export const diff = signal<Diff | undefined>(undefined)
export const failure = signal<string | undefined>(undefined)
/** The newest publishes, newest first. */
export const publishes = signal<readonly Publish[]>([])
/** The newest changes of the draft, oldest first. */
export const log = signal<Answer<'GET /history/log'>['entries']>([])
/** Who changed a page since the last publish, by slug. */
export const authors = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map())

export async function loadDiff(): Promise<void> {
  try {
    const read = await call('GET /publish/diff', { query: draftId.value })
    if (hasMoves(read)) await loadMoved().catch(() => undefined)
    diff.value = read
    failure.value = undefined
  } catch (error) {
    failure.value = sentenceOf(error)
  }
}

const hasMoves = ({ pages }: Diff): boolean =>
  pages.some(({ blockDiffs }) => blockDiffs.some(({ status }) => status === 'moved'))

const pauseMs = 500

/** Keeps the number of changes current, at pauses of the editing. */
export function followReview(): void {
  let timer = 0
  effect(() => {
    const wait = changes.value === 0 ? 0 : pauseMs
    clearTimeout(timer)
    timer = window.setTimeout(() => void loadDiff(), wait)
  })
}

/** Reads what stands beside the differences, while the review is shown; returns the end of it. */
export const followSurroundings = (): (() => void) =>
  effect(() => {
    if (diff.value) void loadSurroundings()
  })

/** How many publishes are listed at first. */
export const publishesShown = 5
let limit = publishesShown

async function loadPublishes(): Promise<void> {
  const query = { ...draftId.value, limit: String(limit) }
  publishes.value = (await call('GET /publish/log', { query })).entries.toReversed()
}

export function loadAllPublishes(): Promise<void> {
  limit = 100
  return loadPublishes().catch((error: unknown) => say(sentenceOf(error)))
}

async function loadSurroundings(): Promise<void> {
  const query = draftId.value
  const [changed] = await Promise.allSettled([
    call('GET /history/log', { query: { ...query, limit: '100' } }),
    loadPublishes(),
    loadScheduled(),
  ])
  if (changed.status !== 'fulfilled') return
  log.value = changed.value.entries
  const since = publishes.value.find(({ status }) => status === 'success')?.at ?? ''
  const found = new Map<string, Set<string>>()
  for (const entry of changed.value.entries)
    if (entry.at > since && entry.channel !== 'site')
      for (const slug of entry.slugs) found.set(slug, (found.get(slug) ?? new Set()).add(byWhom(entry)))
  authors.value = found
}

/** The title of a page, also of one that a publish removes. */
export function titleOf(slug: string): string {
  const { titleAfter, titleBefore } = diff.value?.pages.find((page) => page.slug === slug) ?? {}
  return titleAfter ?? draftPages.value.find((page) => page.slug === slug)?.title ?? titleBefore ?? slug
}

/** The changes of a page: its changed blocks, and the changed texts of its own; a new or deleted page is one. */
export function countIn({ slug, status, titleBefore, metaDiffs = [], blockDiffs }: PageDiff): number {
  if (status !== 'modified') return status === 'unchanged' ? 0 : 1
  const count =
    changedIn(blockDiffs, isNamedOn(slug)).length + metaDiffs.length + (titleBefore === undefined ? 0 : 1)
  // What a page has besides is a change as well, such as its address.
  return Math.max(count, 1)
}

/** The number of changes that a publish would make, as they are shown. */
export const countOf = ({ pages, siteConfig }: Diff): number =>
  pages.reduce((sum, page) => sum + countIn(page), siteConfig.fieldDiffs.length)
