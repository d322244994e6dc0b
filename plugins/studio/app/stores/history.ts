/** The changes of the draft, and the one that the person looks at. */
import { computed, effect, signal } from '@preact/signals'
import { ApiError, call, sentenceOf, type Answer } from '../service.ts'
import { changes } from './draft.ts'
import { draftId } from './site.ts'

export type Entry = Answer<'GET /history/log'>['entries'][number]
export type PageThen = Answer<'GET /history/page'>
export interface Dependent {
  readonly version: number
  readonly summary: string
}

/** Newest first; `undefined` until they are read. */
export const entries = signal<readonly Entry[] | undefined>(undefined)
export const failure = signal<string | undefined>(undefined)

/** The version that was chosen, and its page; the newest one by default. */
const choice = signal<{ readonly version: number; readonly slug?: string } | undefined>(undefined)
export const chosen = computed(
  () => entries.value?.find(({ version }) => version === choice.value?.version) ?? entries.value?.[0],
)
export const chosenSlug = computed(() => choice.value?.slug ?? chosen.value?.slug)
export const against = signal<'before' | 'now'>('before')
/** The chosen page as it was then, and the address that shows it. */
export const pageThen = signal<{ readonly page: PageThen; readonly address: string | undefined } | undefined>(
  undefined,
)
/** The later changes without which a change cannot be undone. */
export const dependents = signal<
  { readonly version: number; readonly changes: readonly Dependent[] } | undefined
>(undefined)

export function choose(version: number, slug?: string): void {
  choice.value = slug === undefined ? { version } : { version, slug }
}

export async function loadHistory(): Promise<void> {
  try {
    const { entries: oldestFirst } = await call('GET /history/log', {
      query: { ...draftId.value, limit: '100' },
    })
    entries.value = oldestFirst.toReversed()
    failure.value = undefined
  } catch (error) {
    failure.value = sentenceOf(error)
  }
}

/** Reads the chosen page as it was. */
async function loadThen(entry: Entry, slug: string, base: 'before' | 'now'): Promise<void> {
  const { version } = entry
  try {
    const page = await call('GET /history/page', {
      query: { ...draftId.value, slug, version: String(version), against: base },
    })
    const link = page.page
      ? await call('POST /preview/links', { body: { ...draftId.value, what: 'version', version, slug } })
      : undefined
    if (chosen.value !== entry || chosenSlug.value !== slug || against.value !== base) return
    pageThen.value = { page, address: link && ownAddress(link.url) }
    failure.value = undefined
  } catch (error) {
    failure.value = sentenceOf(error)
  }
}

/** The address of a page of this service on the origin of the studio, whatever name the service has outside. */
function ownAddress(address: string): string {
  const { pathname, search } = new URL(address, location.href)
  return pathname + search
}

/** Keeps the list and the chosen page current while the history is shown; returns the end of it. */
export function followHistory(): () => void {
  const ends = [
    effect(() => {
      if (changes.value >= 0) void loadHistory()
    }),
    effect(() => {
      const [entry, slug] = [chosen.value, chosenSlug.value]
      if (entry && slug !== undefined) void loadThen(entry, slug, against.value)
    }),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Undoes one change. Returns the answer, or `undefined` after it has noted the later changes in `dependents`. */
export async function undoChange(version: number, withDependents: boolean) {
  try {
    const done = await call('POST /history/undo-change', {
      body: { ...draftId.value, version, withDependents },
    })
    dependents.value = undefined
    return done
  } catch (error) {
    const later = error instanceof ApiError && error.status === 409 ? listIn(error.body) : []
    if (later.length === 0) throw error
    dependents.value = { version, changes: later }
    return undefined
  }
}

/** The later changes that a refusal lists. */
function listIn(body: unknown): readonly Dependent[] {
  const listed = typeof body === 'object' && body !== null && 'dependents' in body ? body.dependents : []
  return Array.isArray(listed) ? listed : []
}

/** Restores the chosen page to its state after a change. */
export const restore = (version: number) =>
  call('POST /history/restore', { body: { ...draftId.value, targetVersion: version } })
