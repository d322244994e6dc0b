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
/** The block that a list beside the page points at for a moment. */
export const pointedAt = signal<string | undefined>(undefined)

export const select = (next: Selected | undefined): void => {
  selected.value = next
}
