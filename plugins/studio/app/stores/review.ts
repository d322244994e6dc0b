/** What a publish would change, and what came of it. */
import { effect, signal } from '@preact/signals'
import { call, sentenceOf, type Answer } from '../service.ts'
import { changes } from './draft.ts'
import { draftId } from './site.ts'

export type Diff = Answer<'GET /publish/diff'>
export const diff = signal<Diff | undefined>(undefined)
export const failure = signal<string | undefined>(undefined)
export const publishing = signal<{
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  readonly text?: string
}>({ state: 'idle' })

export async function loadDiff(): Promise<void> {
  try {
    diff.value = await call('GET /publish/diff', { query: draftId.value })
    failure.value = undefined
  } catch (error) {
    failure.value = sentenceOf(error)
  }
}

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

/** The number of changes that a publish would make. */
export function countOf({ summary }: Diff): number {
  const { pagesAdded, pagesRemoved, totalChangedFields, siteConfigChangedFields, pagesModified } = summary
  return pagesAdded + pagesRemoved + siteConfigChangedFields + Math.max(totalChangedFields, pagesModified)
}

export async function publish(): Promise<void> {
  publishing.value = { state: 'running' }
  try {
    const { siteId, session } = draftId.value
    const answer = await call('POST /publish', { body: { siteId, session } })
    const pages = answer.slugs.length === 1 ? '1 page' : `${answer.slugs.length} pages`
    publishing.value = {
      state: 'done',
      text: answer.status === 'ready' ? `${pages} are live.` : 'The deployment runs.',
    }
    await loadDiff()
  } catch (error) {
    publishing.value = { state: 'failed', text: sentenceOf(error) }
  }
}
