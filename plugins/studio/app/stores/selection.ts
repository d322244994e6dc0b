import { computed, signal } from '@preact/signals'
import { blocks } from './draft.ts'

export interface Selected {
  readonly blockId: string
  /** The path of a field; `undefined` for the block itself. */
  readonly path?: string | undefined
}

/** What chat, fields and keys are about. */
export const selected = signal<Selected | undefined>(undefined)
export const selectedBlock = computed(() => blocks.value.find(({ id }) => id === selected.value?.blockId))
/** Whether the caret is wanted in the field that is selected, as soon as it is shown. */
export const isFieldWanted = signal(false)
/** The block that a list beside the page points at for a moment. */
export const pointedAt = signal<string | undefined>(undefined)

export const select = (next: Selected | undefined): void => {
  isFieldWanted.value = false
  selected.value = next
}
