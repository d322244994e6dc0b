/** The files of a website that a publish would write, where its content is files. */
import { computed, effect, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { hasDocuments } from './draft.ts'
import { loaded } from './loaded.ts'
import { diff } from './review.ts'
import { draftId } from './site.ts'
import { chosen } from './ticks.ts'

export type ChangedFile = Answer<'GET /publish/files'>['files'][number]

export const { value: changedFiles, load } = loaded(async () =>
  hasDocuments.value ? call('GET /publish/files', { query: draftId.value }) : none,
)

const none: Answer<'GET /publish/files'> = { files: [] }

/** Reads them with each comparison, while the review is shown; returns the end of it. */
export const followFiles = (): (() => void) =>
  effect(() => {
    if (diff.value) void load()
  })

/** Whether a publish is to be a commit, where it can be one. */
export const isCommit = signal(false)

/** The files of what is ticked. */
export const tickedFiles = computed((): readonly ChangedFile[] => {
  const slugs = new Set(chosen.value?.pages.map(({ slug }) => slug))
  return changedFiles.value?.files.filter(({ slug }) => slugs.has(slug)) ?? []
})

const number = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Such as `3 files, 5 lines`. */
export function countText(files: readonly ChangedFile[]): string {
  const lines = files.reduce((sum, { changed = 0 }) => sum + changed, 0)
  const isKnown = files.every(({ changed }) => changed !== undefined)
  return `${number(files.length, 'file')}, ${isKnown ? '' : 'at least '}${number(lines, 'line')}`
}
