/** What the arrows of the bar would undo and redo on the shown page. */
import { effect, signal } from '@preact/signals'
import { call, type Answer } from '../service.ts'
import { changes, slug, titleOf } from './draft.ts'
import { saidOf } from './said.ts'
import { draftId } from './site.ts'

const steps = signal<{ readonly of: string; readonly names: Answer<'GET /history/status'> } | undefined>(
  undefined,
)

/** Keeps them current; a page without them has arrows without a name. */
export function followSteps(): void {
  effect(() => {
    const query = { ...draftId.value, slug: slug.value, names: '1' } as const
    if (changes.value < 0) return
    void call('GET /history/status', { query })
      .then((names) => (steps.value = { of: query.slug, names }))
      .catch(() => undefined)
  })
}

/** The name of an arrow: the change and its page. */
export function nameOfStep(direction: 'undo' | 'redo'): string {
  const verb = direction === 'undo' ? 'Undo' : 'Redo'
  const summary = steps.value?.of === slug.value ? steps.value.names[direction] : undefined
  const on = `${verb} on ${titleOf(slug.value)}`
  return summary === undefined ? on : `${on}: ${saidOf({ summary, slugs: [] })}`
}
