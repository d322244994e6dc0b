/** What the arrows of the bar would undo and redo of this person's changes on the shown page. */
import { computed, effect, signal } from '@preact/signals'
import { sender } from '../person.ts'
import { call, type Answer } from '../service.ts'
import { changes, slug, titleOf } from '../stores/draft.ts'
import { createOrder } from '../stores/newest.ts'
import { written } from '../stores/change-summaries.ts'
import { draftId } from '../stores/site.ts'

const steps = signal<{ readonly of: string; readonly names: Answer<'GET /history/status'> } | undefined>(
  undefined,
)

const begin = createOrder()

/** Keeps them current; a page without them has arrows without a name. */
export function followSteps(): void {
  effect(() => {
    const options = { slug: slug.value, names: '1', mine: '1', client: sender().id } as const
    const query = { ...draftId.value, ...options }
    if (changes.value < 0) return
    const isNewest = begin()
    call('GET /history/status', { query }).then(
      (names) => {
        if (isNewest()) steps.value = { of: query.slug, names }
      },
      () => undefined,
    )
  })
}

const current = computed(() => (steps.value?.of === slug.value ? steps.value.names : undefined))

/** Whether an arrow has nothing to do on the shown page. */
export const isOver = (direction: 'undo' | 'redo'): boolean =>
  current.value?.[direction === 'undo' ? 'canUndo' : 'canRedo'] === false

/** The name of an arrow: the change and its page. */
export function nameOfStep(direction: 'undo' | 'redo'): string {
  const verb = direction === 'undo' ? 'Undo' : 'Redo'
  const summary = current.value?.[direction]
  const on = `${verb} on ${titleOf(slug.value)}`
  return summary === undefined ? on : `${on}: ${written(summary)}`
}
