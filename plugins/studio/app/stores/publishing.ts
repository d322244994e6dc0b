/** A publish under way: it sends the version that was reviewed, or nothing. */
import { signal } from '@preact/signals'
import { ApiError, call, sentenceOf } from '../service.ts'
import { diff, loadDiff, publishes } from './review.ts'
import { draftId } from './site.ts'

export type Publishing =
  | { readonly state: 'idle' }
  | { readonly state: 'sending' }
  | { readonly state: 'deploying' }
  | {
      readonly state: 'live'
      readonly at: string
      readonly pages: number
      readonly notes: readonly string[]
      /** The snapshot before this publish; `undefined` for the first one. */
      readonly before: string | undefined
    }
  /** `moved` if the draft went on after it was reviewed. */
  | { readonly state: 'failed' | 'moved'; readonly why: string }

export const publishing = signal<Publishing>({ state: 'idle' })

const pollMs = 2000

export async function publish(): Promise<void> {
  const before = publishes.value.find(({ status, commit }) => status === 'success' && commit)?.commit
  publishing.value = { state: 'sending' }
  try {
    const baseVersion = diff.value?.previewVersion
    const answer = await call('POST /publish', {
      body: { ...draftId.value, ...(baseVersion !== undefined && { baseVersion }) },
    })
    if (answer.status === 'scheduled') return
    const { status, slugs, notes = [] } = answer
    const failed = status === 'triggered' ? await deployed() : undefined
    publishing.value =
      failed === undefined
        ? { state: 'live', at: new Date().toISOString(), pages: slugs.length, notes, before }
        : { state: 'failed', why: failed }
  } catch (error) {
    const hasMoved = error instanceof ApiError && error.code === 'draft_changed'
    publishing.value = { state: hasMoved ? 'moved' : 'failed', why: sentenceOf(error) }
  }
  await loadDiff()
}

/** Waits for the deployment that a publish started; returns why it failed. */
async function deployed(): Promise<string | undefined> {
  publishing.value = { state: 'deploying' }
  for (;;) {
    const { status, lastCheckError } = await call('GET /publish/status', { query: draftId.value })
    if (status === 'ready') return undefined
    if (status === 'failed') return lastCheckError ?? 'The deployment failed.'
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
