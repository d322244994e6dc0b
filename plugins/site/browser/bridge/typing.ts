/** What a field is while it is typed in. */
export interface Typing {
  /** Its value before, as it is sent. */
  readonly initial: string
  /** Its value with what was typed. */
  readonly value: () => string
  /** Called after the last key; what was typed is dropped if `isRestored`. */
  readonly end: (isRestored: boolean) => void
}

export const isMultiline = (field: HTMLElement): boolean => field.dataset['editableMultiline'] !== undefined

/** A field whose value is its text. */
export function plainTyping(field: HTMLElement): Typing {
  const initial = field.textContent
  return {
    initial,
    value: () => (isMultiline(field) ? field.innerText.replace(/\n$/, '') : field.textContent),
    end(isRestored) {
      if (isRestored) field.textContent = initial
    },
  }
}
