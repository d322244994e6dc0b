/** Arbitraries of sequences of what happens to a site and its drafts. */
import { anEdit, type Edit, type EditKind, editKinds } from './play-edits.ts'
import fc, { pick } from './property.ts'

type Draft = 'dev' | 'review' | 'late'
const draft: fc.Arbitrary<Draft> = pick('dev', 'dev', 'review', 'review', 'late')
/** Which of the pages that were changed last. */
const recent = fc.nat({ max: 2 })
const overwrite = fc.oneof({ weight: 3, arbitrary: pick(false) }, { weight: 1, arbitrary: pick(true) })

const step = <const K extends string, T extends object>(
  kind: K,
  fields: { readonly [N in keyof T]: fc.Arbitrary<T[N]> },
) => fc.record<T>(fields).map((given) => ({ kind, ...given }))

const decision = fc.record({ which: fc.nat({ max: 9 }), take: pick('draft', 'site'), isUndone: fc.boolean() })

/** What happens, by kind. */
const stepsWith = (edit: fc.Arbitrary<Edit>) => ({
  edit: step('edit', { draft, edit }),
  run: step('run', { draft, edit }),
  'end run': step('end run', { draft }),
  site: step('site', { edit }),
  publish: step('publish', { draft, overwrite }),
  part: step('part', { draft, which: recent, overwrite, siteConfig: fc.boolean() }),
  diff: step('diff', { draft }),
  follow: step('follow', { draft }),
  decide: fc.tuple(draft, decision).map(([draft, given]) => ({ kind: 'decide' as const, draft, ...given })),
  undo: step('undo', { draft, which: recent }),
  redo: step('redo', { draft, which: recent }),
  'undo change': step('undo change', { draft, which: fc.nat({ max: 4 }) }),
  discard: step('discard', { draft, which: recent, isAll: fc.boolean() }),
  restore: step('restore', { draft, which: fc.nat({ max: 4 }) }),
  schedule: step('schedule', { draft, overwrite }),
  due: step('due', { draft, which: fc.nat({ max: 2 }) }),
  push: step('push', { draft, age: fc.nat({ max: 3 }) }),
  'roll back': step('roll back', { draft, to: fc.nat({ max: 5 }) }),
  hide: step('hide', { names: fc.subarray(['heading', 'subheading']) }),
  store: step('store', {
    dropped: fc.subarray(['subheading', 'ctaText']),
    changed: fc.subarray(['heading', 'subheading']),
    added: fc.subarray(['note']),
  }),
  odd: step('odd', { which: fc.subarray([0, 1, 2, 3, 4]), hasNulls: fc.boolean() }),
  volatile: step('volatile', { hasAddress: fc.boolean(), hasOrder: fc.boolean() }),
  node: step('node', { isOld: fc.boolean() }),
  arrive: step('arrive', { all: fc.boolean() }),
})
type Steps = ReturnType<typeof stepsWith>
type StepKind = keyof Steps
/** Something that happens; it is left out where it is not possible. */
export type PlayStep = {
  readonly [K in StepKind]: Steps[K] extends fc.Arbitrary<infer S> ? S : never
}[StepKind]

const weights: Readonly<Record<StepKind, number>> = {
  edit: 24,
  run: 3,
  'end run': 3,
  site: 14,
  publish: 9,
  part: 4,
  diff: 2,
  follow: 2,
  decide: 10,
  undo: 4,
  redo: 2,
  'undo change': 3,
  discard: 3,
  restore: 3,
  schedule: 4,
  due: 4,
  push: 2,
  'roll back': 1,
  hide: 2,
  store: 2,
  odd: 2,
  volatile: 2,
  node: 2,
  arrive: 2,
}

/** What a sequence is without. */
interface Without {
  readonly steps: readonly StepKind[]
  readonly edits: readonly EditKind[]
}

/** Two change the same, or nearly so, and one of them publishes it, or has scheduled it. */
const meeting = (edit: fc.Arbitrary<Edit>): fc.Arbitrary<readonly PlayStep[]> =>
  fc
    .tuple(draft, draft, edit, edit, edit, decision, fc.boolean(), fc.nat({ max: 5 }))
    .map(([one, other, mine, theirs, later, { which, take, isUndone }, isSite, how]): readonly PlayStep[] => {
      const publish = (draft: Draft): PlayStep => ({ kind: 'publish', draft, overwrite: false })
      const own: PlayStep = { kind: 'edit', draft: one, edit: mine }
      const second = atPlaceOf(mine, theirs)
      const between: readonly PlayStep[] = isSite
        ? [{ kind: 'site', edit: second }]
        : [{ kind: 'edit', draft: other, edit: second }, publish(other)]
      if (how === 0) {
        const scheduled: PlayStep = { kind: 'schedule', draft: one, overwrite: false }
        return [own, scheduled, ...between, { kind: 'due', draft: one, which: 0 }]
      }
      if (how === 1) {
        const again: PlayStep = isUndone ? own : { ...own, edit: atPlaceOf(mine, later) }
        return [own, ...between, { kind: 'diff', draft: one }, again]
      }
      if (how === 2) return [...between, own, publish(one)]
      if (how === 5)
        return [
          ...between,
          own,
          { kind: 'part', draft: one, which: 0, overwrite: false, siteConfig: isUndone },
        ]
      const decided: PlayStep = { kind: 'decide', draft: one, which, take, isUndone }
      return [own, ...between, how === 3 ? decided : publish(one)]
    })
/** The second edit, at the place of the first one if that has a value. */
const atPlaceOf = (first: Edit, second: Edit): Edit =>
  'value' in first && 'value' in second ? { ...first, value: second.value ?? 'three' } : second

/** Edits are of few kinds in a sequence, so that they meet. */
const sequences = (without: Without): fc.Arbitrary<readonly PlayStep[]> =>
  fc
    .subarray(
      editKinds.filter((kind) => !without.edits.includes(kind)),
      { minLength: 2, maxLength: 5 },
    )
    .chain((kinds) => {
      const edit = anEdit(kinds)
      const one = fc.oneof(
        ...Object.entries(stepsWith(edit)).flatMap(([kind, arbitrary]) => {
          const own = stepKinds.find((each) => each === kind)
          if (!own || without.steps.includes(own)) return []
          const each: fc.Arbitrary<readonly PlayStep[]> = arbitrary.map((given: PlayStep) => [given])
          return [{ weight: weights[own], arbitrary: each }]
        }),
        { weight: 36, arbitrary: meeting(edit) },
      )
      return fc.array(one, { minLength: 1, maxLength: 14, size: 'max' }).map((list) => list.flat())
    })
const stepKinds = Object.keys(weights) as readonly StepKind[]

export const steps = sequences({ steps: ['arrive'], edits: ['swap'] })
/** Steps in which pages get other addresses, and menus name them. */
export const stepsOfMenus = sequences({
  steps: ['arrive'],
  edits: editKinds.filter((kind) => !['slug', 'label', 'group', 'redirect', 'create'].includes(kind)),
})
/** Steps on a website that is behind. */
export const stepsBehind = sequences({ steps: ['hide', 'store', 'node'], edits: ['swap'] })
