/** Arbitraries of sequences of what drafts and a developer do to the files of a website. */
import { aDeveloperEdit, anEditorEdit, type DeveloperEdit, type EditorEdit } from './file-play-edits.ts'
import type { PlayStep } from './play-steps.ts'
import fc, { pick } from './property.ts'

type Draft = 'dev' | 'review' | 'late'
type Kept = 'publish' | 'part' | 'diff' | 'follow' | 'decide' | 'schedule' | 'due' | 'undo' | 'redo'
type Shared = Extract<PlayStep, { readonly kind: Kept | 'undo change' | 'discard' | 'roll back' }>
/** Something that happens; it is left out where it is not possible. */
export type FilePlayStep =
  | { readonly kind: 'edit'; readonly draft: Draft; readonly edit: EditorEdit }
  | { readonly kind: 'site'; readonly edit: DeveloperEdit }
  | Shared

const draft: fc.Arbitrary<Draft> = pick('dev', 'dev', 'review', 'review', 'late')
const recent = fc.nat({ max: 2 })
const overwrite = pick(false, false, false, true)
const step = <const K extends string, T extends object>(
  kind: K,
  fields: { readonly [N in keyof T]: fc.Arbitrary<T[N]> },
) => fc.record<T>(fields).map((given) => ({ kind, ...given }))

const weighted: readonly (readonly [number, fc.Arbitrary<FilePlayStep>])[] = [
  [24, step('edit', { draft, edit: anEditorEdit })],
  [20, step('site', { edit: aDeveloperEdit })],
  [10, step('publish', { draft, overwrite })],
  [4, step('part', { draft, which: recent, overwrite, siteConfig: pick(false) })],
  [2, step('diff', { draft })],
  [2, step('follow', { draft })],
  [
    8,
    step('decide', { draft, which: fc.nat({ max: 9 }), take: pick('draft', 'site'), isUndone: fc.boolean() }),
  ],
  [4, step('undo', { draft, which: recent })],
  [2, step('redo', { draft, which: recent })],
  [3, step('undo change', { draft, which: fc.nat({ max: 4 }) })],
  [2, step('discard', { draft, which: recent, isAll: pick(false) })],
  [2, step('schedule', { draft, overwrite })],
  [2, step('due', { draft, which: fc.nat({ max: 2 }) })],
  [1, step('roll back', { draft, to: fc.nat({ max: 5 }) })],
]

export const fileSteps: fc.Arbitrary<readonly FilePlayStep[]> = fc.array(
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  { minLength: 3, maxLength: 25, size: 'max' },
)
