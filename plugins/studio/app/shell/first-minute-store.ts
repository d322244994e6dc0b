/** The first minute: five steps that tick themselves, remembered by this browser. */
import { computed, effect, signal } from '@preact/signals'
import { turns } from '../stores/chat-conversation.ts'
import { saving } from '../stores/draft.ts'
import { publishing } from '../stores/publishing.ts'
import { selected } from '../stores/selection.ts'
import { view } from '../stores/ui.ts'

/** What a person has done once. */
const conditions = {
  select: () => selected.value !== undefined,
  change: () => saving.value > 0,
  ask: () => turns.value.length > 0,
  review: () => view.value === 'review',
  publish: () => publishing.value.state === 'live',
} as const
export type TourStep = keyof typeof conditions

const isStep = (name: string): name is TourStep => Object.hasOwn(conditions, name)
export const steps: readonly TourStep[] = Object.keys(conditions).filter(isStep)

const key = 'content-orchestrator:first-minute'
const stored = localStorage.getItem(key)?.split(' ') ?? []
export const done = signal<ReadonlySet<TourStep>>(new Set(stored.filter(isStep)))
export const isDismissed = signal(stored.includes('dismissed'))
/** The step to do now; `undefined` once all are done. */
export const next = computed(() => steps.find((step) => !done.value.has(step)))

export function followFirstMinute(): void {
  for (const step of steps)
    effect(() => {
      if (conditions[step]() && !done.peek().has(step)) done.value = new Set([...done.peek(), step])
    })
  effect(() => {
    localStorage.setItem(key, [...done.value, ...(isDismissed.value ? ['dismissed'] : [])].join(' '))
  })
}

/** Closes the list for good. */
export const dismissFirstMinute = (): void => void (isDismissed.value = true)
