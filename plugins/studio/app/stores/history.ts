/** The changes of the draft, and the one that the person looks at. */
import { computed, effect, signal } from '@preact/signals'
import { ApiError, call, sentenceOf, type Answer } from '../service.ts'
import { isDocument } from './documents.ts'
import { changes, titleOf } from './draft.ts'
import { entries, loadLog, logFailure, type LogEntry } from './log.ts'
import { draftId } from './site.ts'

export type PageThen = Answer<'GET /history/page'>
type Dependent = Pick<LogEntry, 'version' | 'summary' | 'source' | 'label' | 'restored' | 'actor'>

/** An own step that would undo later changes of others with it, until the person has decided. */
export const stepChoice = signal<
  | { readonly direction: 'undo' | 'redo'; readonly version: number; readonly changes: readonly Dependent[] }
  | undefined
>(undefined)

/** The version that was chosen, and its page; the newest one by default. */
const choice = signal<{ readonly version: number; readonly slug: string | undefined } | undefined>(undefined)
export const chosen = computed(
  () => entries.value?.find(({ version }) => version === choice.value?.version) ?? entries.value?.[0],
)
export const chosenSlug = computed(() => choice.value?.slug ?? (chosen.value && pageOf(chosen.value)))
export const against = signal<'before' | 'now'>('before')
/** The chosen page as it was then, and the address that shows it, which a document has only as it is now. */
export const pageThen = signal<{ readonly page: PageThen; readonly address: string | undefined } | undefined>(
  undefined,
)
/** The later changes without which a change cannot be undone. */
export const dependents = signal<
  { readonly version: number; readonly changes: readonly Dependent[] } | undefined
>(undefined)

/** Shows a change, and one of its pages; the newest change by default. */
export function choose(version?: number, slug?: string): void {
  choice.value = version === undefined ? undefined : { version, slug }
}

/** The last undo or redo of each change, by version. */
const steps = computed(() => {
  const last = new Map<number, LogEntry>()
  for (const entry of entries.value?.toReversed() ?? [])
    for (const version of entry.of ?? []) last.set(version, entry)
  return last
})

/** Whether a change, or the change that a line undid or redid, is undone now, and the version to undo for the way back. */
export function stateOf({ version, source, of = [version] }: LogEntry) {
  const last = steps.value.get(of[0] ?? version)
  return { isUndone: (last?.source ?? source) === 'undo', target: last?.version ?? version }
}

/** The page of a line. One that has only deleted a page has the address where the person went on. */
export const pageOf = ({ slug, slugs, removedSlugs = [] }: LogEntry): string =>
  (slugs.length === 0 ? removedSlugs[0] : undefined) ?? slug

/** Whether a line is about the settings of the site, which have the address of the home page. */
export const isOfSettings = (entry: LogEntry): boolean => pageOf(entry) === '/' && entry.slugs.length === 0

/** What a line is about: its page, or the settings of the site. */
export const placeOf = (entry: LogEntry): string =>
  isOfSettings(entry) ? 'Site settings' : titleOf(pageOf(entry))

/** Reads the log, and returns the line of a version. */
export async function lineOf(version: number): Promise<LogEntry | undefined> {
  await loadLog()
  return entries.value?.find((entry) => entry.version === version)
}

const thenFailure = signal<string | undefined>(undefined)
/** Why the changes, or the chosen page, could not be read. */
export const failure = computed(() => logFailure.value ?? thenFailure.value)

/** Reads the chosen page as it was. */
async function loadThen(entry: LogEntry, slug: string, base: 'before' | 'now'): Promise<void> {
  const { version } = entry
  const isWanted = (): boolean =>
    chosen.value === entry && chosenSlug.value === slug && against.value === base
  try {
    const page = await call('GET /history/page', {
      query: { ...draftId.value, slug, version: String(version), against: base },
    })
    const link =
      page.page && !isDocument(slug)
        ? await call('POST /preview/links', {
            body: { ...draftId.value, what: 'version', version, slug, framed: true },
          })
        : undefined
    if (!isWanted()) return
    pageThen.value = { page, address: link && ownAddress(link.url) }
    thenFailure.value = undefined
  } catch (error) {
    if (isWanted()) thenFailure.value = sentenceOf(error)
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
      if (changes.value >= 0) void loadLog()
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
    const later = laterIn(error)
    if (!later) throw error
    dependents.value = { ...later, version }
    return undefined
  }
}

/** The later changes for which an undo is refused, with its version where the service has chosen it. */
export function laterIn(error: unknown) {
  if (!(error instanceof ApiError) || error.code !== 'changed_since') return undefined
  const { version, dependents } = error.body as { version?: number; dependents: readonly Dependent[] }
  return dependents.length === 0 ? undefined : { version, changes: dependents }
}

/** Restores the chosen page to its state after a change. */
export const restore = (version: number) =>
  call('POST /history/restore', { body: { ...draftId.value, targetVersion: version } })
