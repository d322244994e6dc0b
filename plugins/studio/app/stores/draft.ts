/** The pages of the draft, kept current by the events of the service. */
import { computed, signal } from '@preact/signals'
import { ApiError, call, sentenceOf, stream, type Answer } from '../service.ts'
import { draftId } from './site.ts'

export type Page = Answer<'GET /draft/pages'>
export type Block = Page['blocks'][number]
export type PageSummary = Answer<'GET /draft/slugs'>['pages'][number]

export const pages = signal<readonly PageSummary[]>([])
export const notice = signal<string | undefined>(undefined)
/** The address of the shown page. */
export const slug = signal('/')
export const page = signal<Page | undefined>(undefined)
export const version = signal(0)
/** Whether the draft is stored: `failed` with the reason stays until a request succeeds. */
export const saving = signal<{ readonly state: 'saved' | 'saving' | 'failed'; readonly why?: string }>({
  state: 'saved',
})
export const isOnline = signal(true)
/** Grows with every change of the draft, for views that read more than the shown page. */
export const changes = signal(0)

export const blocks = computed(() => page.value?.blocks ?? [])

export async function loadPages(): Promise<void> {
  const listed = await call('GET /draft/slugs', { query: draftId.value })
  pages.value = listed.pages
  notice.value = listed.notice
}

/** Shows a page; the draft keeps an address that does not exist empty. */
export async function openPage(next: string): Promise<void> {
  slug.value = next
  try {
    const read = await call('GET /draft/pages', { query: { ...draftId.value, slug: next } })
    if (slug.value === next) page.value = read
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    if (slug.value === next) page.value = undefined
  }
}

/** Follows the changes of the draft until the page is closed. */
export async function followDraft(): Promise<void> {
  for (;;) {
    try {
      for await (const { data } of stream('GET /events', { query: draftId.value })) {
        isOnline.value = true
        if ('previewVersion' in data) version.value = data.previewVersion
        changes.value += 1
        if (data.type === 'publish') continue
        const isShown = data.type === 'hello' || data.type === 'reset' || data.slugs.includes(slug.value)
        await Promise.all([loadPages(), isShown && openPage(slug.value)])
      }
    } catch {
      isOnline.value = false
      await new Promise((resolve) => setTimeout(resolve, 3000))
    }
  }
}

export type Operation = { readonly op: string } & Readonly<Record<string, unknown>>

/**
 * Applies operations. Returns the answer, or throws the refusal after it was recorded in `saving`.
 *
 * The change is shown when its event arrives, so that every change takes the same way.
 */
export async function apply(ops: readonly Operation[], baseVersion?: number) {
  saving.value = { state: 'saving' }
  try {
    const body = { ...draftId.value, ops, ...(baseVersion !== undefined && { baseVersion }) }
    const applied = await call('POST /ops', { body: body as never })
    saving.value = { state: 'saved' }
    return applied
  } catch (error) {
    saving.value = { state: 'failed', why: sentenceOf(error) }
    throw error
  }
}

/** Undoes or redoes the latest change of the shown page. */
export async function step(direction: 'undo' | 'redo') {
  const route = direction === 'undo' ? 'POST /history/undo' : 'POST /history/redo'
  return call(route, { body: { ...draftId.value, slug: slug.value } })
}
